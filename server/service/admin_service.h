// AdminService.

#ifndef ASSAY_SERVER_SERVICE_ADMIN_SERVICE_H_
#define ASSAY_SERVER_SERVICE_ADMIN_SERVICE_H_

#include <utility>

#include "assay/v1/admin_service.grpc.pb.h"
#include "server/blob/blob_store.h"
#include "server/blob/file_threads.h"
#include "server/rpc/open_calls.h"
#include "server/service/back_up_call.h"
#include "server/store/store.h"

namespace assay {

// Thread-safe.
class AdminServiceImpl final : public v1::AdminService::CallbackService {
 public:
  // What they refer to outlives the service.
  AdminServiceImpl(v1::ServerInfo info, const Store& store,
                   const BlobStore& blobs, FileThreads& files,
                   OpenCalls& open_calls)
      : backup_{store.path(), blobs, files, open_calls, std::move(info)} {}

  grpc::ServerUnaryReactor* GetServerInfo(
      grpc::CallbackServerContext* context,
      const v1::GetServerInfoRequest* request,
      v1::ServerInfo* response) override;

  grpc::ServerWriteReactor<v1::BackUpResponse>* BackUp(
      grpc::CallbackServerContext* context,
      const v1::BackUpRequest* request) override;

 private:
  BackUpContext backup_;
};

}  // namespace assay

#endif  // ASSAY_SERVER_SERVICE_ADMIN_SERVICE_H_
