#include "server/service/admin_service.h"

namespace assay {

grpc::ServerUnaryReactor* AdminServiceImpl::GetServerInfo(
    grpc::CallbackServerContext* context, const v1::GetServerInfoRequest*,
    v1::ServerInfo* response) {
  *response = backup_.info;
  grpc::ServerUnaryReactor* reactor = context->DefaultReactor();
  reactor->Finish(grpc::Status::OK);
  return reactor;
}

grpc::ServerWriteReactor<v1::BackUpResponse>* AdminServiceImpl::BackUp(
    grpc::CallbackServerContext*, const v1::BackUpRequest*) {
  return BackUpCall::Start(backup_);
}

}  // namespace assay
