// AdminService.

#ifndef ASSAY_SERVER_SERVICE_ADMIN_SERVICE_H_
#define ASSAY_SERVER_SERVICE_ADMIN_SERVICE_H_

#include <functional>
#include <utility>

#include "absl/status/statusor.h"
#include "assay/v1/admin_service.grpc.pb.h"
#include "server/blob/blob_store.h"
#include "server/blob/file_threads.h"
#include "server/lease/presence.h"
#include "server/rpc/open_calls.h"
#include "server/service/back_up_call.h"
#include "server/store/store.h"

namespace assay {

// Thread-safe.
class AdminServiceImpl final : public v1::AdminService::CallbackService {
 public:
  // What they refer to outlives the service.
  AdminServiceImpl(v1::ServerInfo info, Store& store, const Presence& presence,
                   const BlobStore& blobs, FileThreads& files,
                   OpenCalls& open_calls)
      : store_(store),
        presence_(presence),
        backup_{store.path(), blobs, files, open_calls, std::move(info)} {}

  grpc::ServerUnaryReactor* GetServerInfo(
      grpc::CallbackServerContext* context,
      const v1::GetServerInfoRequest* request,
      v1::ServerInfo* response) override;
  grpc::ServerUnaryReactor* DrainWorker(grpc::CallbackServerContext* context,
                                        const v1::DrainWorkerRequest* request,
                                        v1::WorkerRecord* response) override;
  grpc::ServerUnaryReactor* UndrainWorker(
      grpc::CallbackServerContext* context,
      const v1::UndrainWorkerRequest* request,
      v1::WorkerRecord* response) override;
  grpc::ServerUnaryReactor* QuarantineWorker(
      grpc::CallbackServerContext* context,
      const v1::QuarantineWorkerRequest* request,
      v1::WorkerRecord* response) override;
  grpc::ServerUnaryReactor* ReleaseWorker(
      grpc::CallbackServerContext* context,
      const v1::ReleaseWorkerRequest* request,
      v1::WorkerRecord* response) override;

  grpc::ServerWriteReactor<v1::BackUpResponse>* BackUp(
      grpc::CallbackServerContext* context,
      const v1::BackUpRequest* request) override;

 private:
  using Verb = std::function<absl::StatusOr<v1::WorkerRecord>(Session&)>;
  grpc::ServerUnaryReactor* Decide(grpc::CallbackServerContext* context,
                                   Verb verb, v1::WorkerRecord* response);

  Store& store_;
  const Presence& presence_;
  BackUpContext backup_;
};

}  // namespace assay

#endif  // ASSAY_SERVER_SERVICE_ADMIN_SERVICE_H_
