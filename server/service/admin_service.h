// AdminService.

#ifndef ASSAY_SERVER_SERVICE_ADMIN_SERVICE_H_
#define ASSAY_SERVER_SERVICE_ADMIN_SERVICE_H_

#include <utility>

#include "assay/v1/admin_service.grpc.pb.h"

namespace assay {

// Thread-safe.
class AdminServiceImpl final : public v1::AdminService::CallbackService {
 public:
  explicit AdminServiceImpl(v1::ServerInfo info) : info_(std::move(info)) {}

  grpc::ServerUnaryReactor* GetServerInfo(
      grpc::CallbackServerContext* context,
      const v1::GetServerInfoRequest* request,
      v1::ServerInfo* response) override;

 private:
  const v1::ServerInfo info_;
};

}  // namespace assay

#endif  // ASSAY_SERVER_SERVICE_ADMIN_SERVICE_H_
