#include "server/service/evaluation_service.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/log.h"
#include "base/status_macros.h"
#include "server/auth/call_check.h"
#include "server/auth/tokens.h"
#include "server/evaluation/reviews.h"
#include "server/evaluation/submissions.h"
#include "server/rpc/unary.h"
#include "server/service/watch_call.h"
#include "server/store/paging.h"

namespace assay {
namespace {

constexpr int kMaxWatched = 10000;

absl::Status CheckWatch(const v1::WatchSubmissionsRequest& request) {
  const int count = request.submission_ids_size();
  if (count >= 1 && count <= kMaxWatched) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(
      "submission_ids has ", count, " ids: give 1 to ", kMaxWatched));
}

absl::StatusOr<v1::ListJobsResponse> JobsWithNotes(
    Session& session, const Presence& presence, const std::string& submission,
    const Paging& paging) {
  ASSAY_RETURN_IF_ERROR(session.submissions().Get(submission).status());
  ASSAY_ASSIGN_OR_RETURN(v1::ListJobsResponse response,
                         session.jobs().List(submission, paging));
  ASSAY_ASSIGN_OR_RETURN(const std::vector<KnownWorker> live,
                         presence.LiveWorkers(session));
  for (v1::Job& job : *response.mutable_jobs()) {
    ASSAY_RETURN_IF_ERROR(AnnotateWaiting(session, live, job));
  }
  return response;
}

}  // namespace

grpc::ServerUnaryReactor* EvaluationServiceImpl::CreateSubmission(
    grpc::CallbackServerContext* context,
    const v1::CreateSubmissionRequest* request, v1::Submission* response) {
  const std::string token_id = TokenIdOf(*context);
  const absl::Duration wait = tokens_.AdmitSubmission(token_id);
  if (wait > absl::ZeroDuration()) {
    return RefuseFor(context,
                     "the token has made as many submissions as it may", wait);
  }
  const absl::Status valid = CheckSubmission(*request);
  if (!valid.ok()) return Refuse(context, valid);
  auto bytes = budget_.Take(request->ByteSizeLong());
  if (bytes == nullptr) return RefuseFor(context, kBusy, kBusyDelay);
  grpc::ServerUnaryReactor* reactor = context->DefaultReactor();
  store_.Write<v1::Submission>(
      [request, token_id](Session& session) -> absl::StatusOr<v1::Submission> {
        ASSAY_ASSIGN_OR_RETURN(v1::Submission submission,
                               assay::CreateSubmission(session, *request));
        ASSAY_RETURN_IF_ERROR(ChargeSubmission(session, token_id, submission));
        return submission;
      },
      [bytes, answer = Answer(reactor, response)](
          absl::StatusOr<v1::Submission> submission) {
        if (submission.ok()) {
          LogInfo("submission", {{"id", submission->id()},
                                 {"solution", submission->solution()},
                                 {"jobs", submission->queued()},
                                 {"skipped", submission->skipped_size()}});
        }
        answer(std::move(submission));
      });
  return reactor;
}

grpc::ServerUnaryReactor* EvaluationServiceImpl::GetSubmission(
    grpc::CallbackServerContext* context,
    const v1::GetSubmissionRequest* request, v1::Submission* response) {
  grpc::ServerUnaryReactor* reactor = context->DefaultReactor();
  store_.Read<v1::Submission>(
      [this, request](Session& session) -> absl::StatusOr<v1::Submission> {
        ASSAY_ASSIGN_OR_RETURN(v1::Submission submission,
                               session.submissions().Get(request->id()));
        if (submission.queued() == 0) return submission;
        ASSAY_ASSIGN_OR_RETURN(const QueueView view,
                               queue_views_.Read(session));
        absl::optional<v1::QueueStatus> status = view.StatusOf(submission.id());
        if (status.has_value()) {
          *submission.mutable_queue() = *std::move(status);
        }
        return submission;
      },
      Answer(reactor, response));
  return reactor;
}

grpc::ServerUnaryReactor* EvaluationServiceImpl::ListSubmissions(
    grpc::CallbackServerContext* context,
    const v1::ListSubmissionsRequest* request,
    v1::ListSubmissionsResponse* response) {
  const absl::StatusOr<Paging> paging =
      Paging::Parse(request->page_size(), request->page_token(),
                    {"submissions", request->solution(),
                     request->active_only() ? "active" : "all"});
  if (!paging.ok()) return Refuse(context, paging.status());
  grpc::ServerUnaryReactor* reactor = context->DefaultReactor();
  store_.Read<v1::ListSubmissionsResponse>(
      [request, paging = *paging](Session& session) {
        return session.submissions().List(request->solution(),
                                          request->active_only(), paging);
      },
      Answer(reactor, response));
  return reactor;
}

grpc::ServerUnaryReactor* EvaluationServiceImpl::ListJobs(
    grpc::CallbackServerContext* context, const v1::ListJobsRequest* request,
    v1::ListJobsResponse* response) {
  const absl::StatusOr<Paging> paging =
      Paging::Parse(request->page_size(), request->page_token(),
                    {"jobs", request->submission_id()});
  if (!paging.ok()) return Refuse(context, paging.status());
  grpc::ServerUnaryReactor* reactor = context->DefaultReactor();
  store_.Read<v1::ListJobsResponse>(
      [this, request, paging = *paging](Session& session) {
        return JobsWithNotes(session, presence_, request->submission_id(),
                             paging);
      },
      Answer(reactor, response));
  return reactor;
}

grpc::ServerWriteReactor<v1::SubmissionEvent>*
EvaluationServiceImpl::WatchSubmissions(
    grpc::CallbackServerContext* context,
    const v1::WatchSubmissionsRequest* request) {
  const std::vector<std::string> ids(request->submission_ids().begin(),
                                     request->submission_ids().end());
  return WatchCall::Start(CheckWatch(*request), ids, store_, hub_, presence_,
                          open_calls_, TokenIdOf(*context));
}

grpc::ServerUnaryReactor* EvaluationServiceImpl::CancelSubmission(
    grpc::CallbackServerContext* context,
    const v1::CancelSubmissionRequest* request, v1::Submission* response) {
  grpc::ServerUnaryReactor* reactor = context->DefaultReactor();
  store_.Write<v1::Submission>(
      [request](Session& session) {
        return assay::CancelSubmission(session, request->id());
      },
      Answer(reactor, response));
  return reactor;
}

grpc::ServerUnaryReactor* EvaluationServiceImpl::ListTraces(
    grpc::CallbackServerContext* context, const v1::ListTracesRequest* request,
    v1::ListTracesResponse* response) {
  const absl::StatusOr<Paging> paging = Paging::Parse(
      request->page_size(), request->page_token(),
      {"traces", request->definition(), request->solution(),
       request->workload_uuid(), request->submission_id(),
       absl::StrCat(static_cast<int>(request->status())), request->hardware(),
       absl::StrCat(static_cast<int>(request->review_state()))});
  if (!paging.ok()) return Refuse(context, paging.status());
  grpc::ServerUnaryReactor* reactor = context->DefaultReactor();
  store_.Read<v1::ListTracesResponse>(
      [request, paging = *paging](Session& session) {
        return session.traces().List(*request, paging);
      },
      Answer(reactor, response));
  return reactor;
}

grpc::ServerUnaryReactor* EvaluationServiceImpl::GetTrace(
    grpc::CallbackServerContext* context, const v1::GetTraceRequest* request,
    v1::TraceRecord* response) {
  grpc::ServerUnaryReactor* reactor = context->DefaultReactor();
  store_.Read<v1::TraceRecord>(
      [request](Session& session) {
        return session.traces().Get(request->id());
      },
      Answer(reactor, response));
  return reactor;
}

grpc::ServerUnaryReactor* EvaluationServiceImpl::ReviewTrace(
    grpc::CallbackServerContext* context, const v1::ReviewTraceRequest* request,
    v1::TraceRecord* response) {
  const absl::Status valid = CheckReview(*request);
  if (!valid.ok()) return Refuse(context, valid);
  grpc::ServerUnaryReactor* reactor = context->DefaultReactor();
  store_.Write<v1::TraceRecord>(
      [request](Session& session) {
        return assay::ReviewTrace(session, *request);
      },
      [answer = Answer(reactor, response),
       request](absl::StatusOr<v1::TraceRecord> record) {
        if (record.ok()) {
          LogInfo("review",
                  {{"trace", record->id()},
                   {"decision", v1::Review::State_Name(request->decision())},
                   {"reviewer", request->reviewer()}});
        }
        answer(std::move(record));
      });
  return reactor;
}

}  // namespace assay
