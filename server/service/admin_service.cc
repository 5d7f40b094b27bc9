#include "server/service/admin_service.h"

#include "base/log.h"
#include "server/auth/call_check.h"
#include "server/lease/admissions.h"
#include "server/rpc/unary.h"

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
    grpc::CallbackServerContext* context, const v1::BackUpRequest*) {
  return BackUpCall::Start(backup_, TokenIdOf(*context));
}

grpc::ServerUnaryReactor* AdminServiceImpl::DrainWorker(
    grpc::CallbackServerContext* context, const v1::DrainWorkerRequest* request,
    v1::WorkerRecord* response) {
  const absl::Status valid = CheckReason(request->reason());
  if (!valid.ok()) return Refuse(context, valid);
  return Decide(
      context,
      [request](Session& session) {
        return assay::DrainWorker(session, request->worker_id(),
                                  request->reason());
      },
      response);
}

grpc::ServerUnaryReactor* AdminServiceImpl::UndrainWorker(
    grpc::CallbackServerContext* context,
    const v1::UndrainWorkerRequest* request, v1::WorkerRecord* response) {
  return Decide(
      context,
      [request](Session& session) {
        return assay::UndrainWorker(session, request->worker_id());
      },
      response);
}

grpc::ServerUnaryReactor* AdminServiceImpl::QuarantineWorker(
    grpc::CallbackServerContext* context,
    const v1::QuarantineWorkerRequest* request, v1::WorkerRecord* response) {
  const absl::Status valid = CheckReason(request->reason());
  if (!valid.ok()) return Refuse(context, valid);
  return Decide(
      context,
      [request](Session& session) {
        return assay::QuarantineWorker(session, request->worker_id(),
                                       request->reason());
      },
      response);
}

grpc::ServerUnaryReactor* AdminServiceImpl::ReleaseWorker(
    grpc::CallbackServerContext* context,
    const v1::ReleaseWorkerRequest* request, v1::WorkerRecord* response) {
  return Decide(
      context,
      [request](Session& session) {
        return assay::ReleaseWorker(session, request->worker_id());
      },
      response);
}

grpc::ServerUnaryReactor* AdminServiceImpl::Decide(
    grpc::CallbackServerContext* context, Verb verb,
    v1::WorkerRecord* response) {
  grpc::ServerUnaryReactor* reactor = context->DefaultReactor();
  store_.Write<v1::WorkerRecord>(
      std::move(verb), [this, answer = Answer(reactor, response)](
                           absl::StatusOr<v1::WorkerRecord> record) {
        if (record.ok()) {
          presence_.Complete(*record);
          LogInfo("worker",
                  {{"id", record->worker_id()},
                   {"state", v1::WorkerRecord::State_Name(record->state())},
                   {"reason", record->hold_reason()}});
        }
        answer(std::move(record));
      });
  return reactor;
}

}  // namespace assay
