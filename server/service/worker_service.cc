#include "server/service/worker_service.h"

#include <algorithm>
#include <string>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "base/log.h"
#include "base/status_macros.h"
#include "google/protobuf/util/time_util.h"
#include "server/auth/call_check.h"
#include "server/auth/tokens.h"
#include "server/lease/leases.h"
#include "server/rpc/unary.h"
#include "server/service/acquire_lease_call.h"
#include "server/service/run_lease_call.h"
#include "server/store/paging.h"

namespace assay {
namespace {

constexpr size_t kMaxIdLength = 100;
constexpr int kMaxMaxJobs = 1000;
constexpr size_t kMaxUnwellReasonLength = 1000;

absl::Status CheckId(absl::string_view field, absl::string_view id) {
  const bool valid = std::all_of(id.begin(), id.end(), [](char c) {
    return absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == '_' ||
           c == '-' || c == '.';
  });
  if (valid && !id.empty() && id.size() <= kMaxIdLength) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(absl::StrCat(
      field, " \"", id.substr(0, kMaxIdLength), "\" is not valid: use 1 to ",
      kMaxIdLength, " letters, digits, \"_\", \"-\" and \".\""));
}

absl::Status CheckRegistration(const v1::RegisterWorkerRequest& request) {
  ASSAY_RETURN_IF_ERROR(CheckId("worker_id", request.worker_id()));
  ASSAY_RETURN_IF_ERROR(CheckId("session_id", request.session_id()));
  const std::string& kind = request.device().kind();
  if (kind != "cpu" && kind != "cuda") {
    return absl::InvalidArgumentError(
        absl::StrCat("device.kind \"", kind, "\" is unknown: use cpu or cuda"));
  }
  if (request.device().model().empty()) {
    return absl::InvalidArgumentError(
        "device.model is empty: name the device, e.g. NVIDIA_H200");
  }
  return absl::OkStatus();
}

absl::Status CheckAcquire(const v1::AcquireLeaseRequest& request) {
  ASSAY_RETURN_IF_ERROR(CheckId("worker_id", request.worker_id()));
  ASSAY_RETURN_IF_ERROR(CheckId("session_id", request.session_id()));
  if (request.request_id().size() > kMaxIdLength) {
    return CheckId("request_id", request.request_id());
  }
  if (request.max_jobs() < 0 || request.max_jobs() > kMaxMaxJobs) {
    return absl::InvalidArgumentError(
        absl::StrCat("max_jobs \"", request.max_jobs(), "\" is not in 1 to ",
                     kMaxMaxJobs, ", or 0 for the default"));
  }
  if (request.unwell_reason().size() > kMaxUnwellReasonLength) {
    return absl::InvalidArgumentError(absl::StrCat(
        "unwell_reason has ", request.unwell_reason().size(),
        " bytes: at most ", kMaxUnwellReasonLength, " are allowed"));
  }
  return absl::OkStatus();
}

google::protobuf::Duration ToProto(absl::Duration duration) {
  return google::protobuf::util::TimeUtil::NanosecondsToDuration(
      absl::ToInt64Nanoseconds(duration));
}

}  // namespace

grpc::ServerUnaryReactor* WorkerServiceImpl::RegisterWorker(
    grpc::CallbackServerContext* context,
    const v1::RegisterWorkerRequest* request,
    v1::RegisterWorkerResponse* response) {
  const absl::Status valid = CheckRegistration(*request);
  if (!valid.ok()) return Refuse(context, valid);
  grpc::ServerUnaryReactor* reactor = context->DefaultReactor();
  context_.store.Write<v1::RegisterWorkerResponse>(
      [this, request, token_id = TokenIdOf(*context)](
          Session& session) -> absl::StatusOr<v1::RegisterWorkerResponse> {
        ASSAY_RETURN_IF_ERROR(
            CheckSpeaksFor(session, request->worker_id(), token_id));
        ASSAY_RETURN_IF_ERROR(
            assay::RegisterWorker(session, *request).status());
        ASSAY_RETURN_IF_ERROR(
            BindToToken(session, request->worker_id(), token_id));
        v1::RegisterWorkerResponse result;
        *result.mutable_lease_ttl() = ToProto(context_.lease_ttl);
        *result.mutable_heartbeat_interval() =
            ToProto(context_.heartbeat_interval);
        *result.mutable_poll() = ToProto(context_.poll);
        *result.mutable_stop_grace() = ToProto(context_.stop_grace);
        *result.mutable_spool_time() = ToProto(context_.spool_time);
        return result;
      },
      [this, request, answer = Answer(reactor, response)](
          absl::StatusOr<v1::RegisterWorkerResponse> result) {
        if (result.ok()) {
          // How it is, it says when it asks for work.
          context_.presence.SetUnwell(request->worker_id(), "");
          LogInfo("worker registered", {{"worker", request->worker_id()},
                                        {"device", request->device().model()},
                                        {"version", request->version()}});
        }
        answer(std::move(result));
      });
  return reactor;
}

grpc::ServerUnaryReactor* WorkerServiceImpl::AcquireLease(
    grpc::CallbackServerContext* context,
    const v1::AcquireLeaseRequest* request,
    v1::AcquireLeaseResponse* response) {
  const absl::Status valid = CheckAcquire(*request);
  if (!valid.ok()) return Refuse(context, valid);
  return AcquireLeaseCall::Start(context_, *request, response,
                                 TokenIdOf(*context));
}

grpc::ServerBidiReactor<v1::LeaseReport, v1::LeaseDirective>*
WorkerServiceImpl::RunLease(grpc::CallbackServerContext* context) {
  return RunLeaseCall::Start(context_, TokenIdOf(*context));
}

grpc::ServerUnaryReactor* WorkerServiceImpl::ListWorkers(
    grpc::CallbackServerContext* context, const v1::ListWorkersRequest* request,
    v1::ListWorkersResponse* response) {
  const absl::StatusOr<Paging> paging =
      Paging::Parse(request->page_size(), request->page_token(), {"workers"});
  if (!paging.ok()) return Refuse(context, paging.status());
  grpc::ServerUnaryReactor* reactor = context->DefaultReactor();
  context_.store.Read<v1::ListWorkersResponse>(
      [this, paging = *paging](
          Session& session) -> absl::StatusOr<v1::ListWorkersResponse> {
        ASSAY_ASSIGN_OR_RETURN(v1::ListWorkersResponse result,
                               session.workers().List(paging));
        for (v1::WorkerRecord& record : *result.mutable_workers()) {
          context_.presence.Complete(record);
        }
        return result;
      },
      Answer(reactor, response));
  return reactor;
}

grpc::ServerUnaryReactor* WorkerServiceImpl::GetWorker(
    grpc::CallbackServerContext* context, const v1::GetWorkerRequest* request,
    v1::WorkerRecord* response) {
  grpc::ServerUnaryReactor* reactor = context->DefaultReactor();
  context_.store.Read<v1::WorkerRecord>(
      [this, request](Session& session) -> absl::StatusOr<v1::WorkerRecord> {
        ASSAY_ASSIGN_OR_RETURN(absl::optional<WorkerRow> row,
                               session.workers().Find(request->worker_id()));
        if (!row.has_value()) {
          return absl::NotFoundError(absl::StrCat(
              "there is no worker \"",
              absl::string_view(request->worker_id()).substr(0, 100),
              "\": list the workers for the right id"));
        }
        context_.presence.Complete(row->record);
        return std::move(row->record);
      },
      Answer(reactor, response));
  return reactor;
}

}  // namespace assay
