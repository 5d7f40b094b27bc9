// WorkerService: who works, and on what.

#ifndef ASSAY_SERVER_SERVICE_WORKER_SERVICE_H_
#define ASSAY_SERVER_SERVICE_WORKER_SERVICE_H_

#include "assay/v1/worker_service.grpc.pb.h"
#include "server/service/lease_context.h"

namespace assay {

// Thread-safe.
class WorkerServiceImpl final : public v1::WorkerService::CallbackService {
 public:
  explicit WorkerServiceImpl(const LeaseContext& context) : context_(context) {}

  grpc::ServerUnaryReactor* RegisterWorker(
      grpc::CallbackServerContext* context,
      const v1::RegisterWorkerRequest* request,
      v1::RegisterWorkerResponse* response) override;
  grpc::ServerUnaryReactor* AcquireLease(
      grpc::CallbackServerContext* context,
      const v1::AcquireLeaseRequest* request,
      v1::AcquireLeaseResponse* response) override;
  grpc::ServerBidiReactor<v1::LeaseReport, v1::LeaseDirective>* RunLease(
      grpc::CallbackServerContext* context) override;
  grpc::ServerUnaryReactor* ListWorkers(
      grpc::CallbackServerContext* context,
      const v1::ListWorkersRequest* request,
      v1::ListWorkersResponse* response) override;
  grpc::ServerUnaryReactor* GetWorker(grpc::CallbackServerContext* context,
                                      const v1::GetWorkerRequest* request,
                                      v1::WorkerRecord* response) override;

 private:
  LeaseContext context_;
};

}  // namespace assay

#endif  // ASSAY_SERVER_SERVICE_WORKER_SERVICE_H_
