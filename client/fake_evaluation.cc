#include <algorithm>
#include <functional>
#include <utility>

#include "absl/time/time.h"
#include "assay/v1/evaluation_service.grpc.pb.h"
#include "assay/v1/leaderboard_service.grpc.pb.h"
#include "assay/v1/worker_service.grpc.pb.h"
#include "client/fake_shared.h"

namespace assay {
namespace {

class Evaluation final : public v1::EvaluationService::Service {
 public:
  explicit Evaluation(FakeShared& shared) : shared_(shared) {}

  grpc::Status CreateSubmission(grpc::ServerContext*,
                                const v1::CreateSubmissionRequest* request,
                                v1::Submission* response) override {
    ASSAY_FAKE_ENTER(CreateSubmission);
    state.submitted.push_back(*request);
    v1::Solution solution = request->solution();
    if (!request->solution_name().empty()) {
      const auto found = std::find_if(
          state.solutions.begin(), state.solutions.end(),
          [request](const v1::SolutionRecord& record) {
            return record.solution().name() == request->solution_name();
          });
      if (found == state.solutions.end()) {
        return NotFound("solution", request->solution_name());
      }
      solution = found->solution();
    }
    v1::Submission submission;
    submission.set_id(absl::StrCat("sub-", state.submitted.size()));
    submission.set_solution(solution.name());
    submission.set_definition(solution.definition());
    submission.set_priority(request->priority());
    if (state.on_submit) state.on_submit(state, *request, submission);
    state.submissions.push_back(submission);
    *response = submission;
    return grpc::Status::OK;
  }

  grpc::Status GetSubmission(grpc::ServerContext*,
                             const v1::GetSubmissionRequest* request,
                             v1::Submission* response) override {
    ASSAY_FAKE_ENTER(GetSubmission);
    return Find(state, request->id(), response);
  }

  grpc::Status ListSubmissions(grpc::ServerContext*,
                               const v1::ListSubmissionsRequest* request,
                               v1::ListSubmissionsResponse* response) override {
    ASSAY_FAKE_ENTER(ListSubmissions);
    response->set_next_page_token(FillPage(
        state.submissions, *request,
        [request](const v1::Submission& submission) {
          return Accepts(request->solution(), submission.solution()) &&
                 (!request->active_only() ||
                  submission.queued() + submission.running() > 0);
        },
        response->mutable_submissions()));
    return grpc::Status::OK;
  }

  grpc::Status ListJobs(grpc::ServerContext*,
                        const v1::ListJobsRequest* request,
                        v1::ListJobsResponse* response) override {
    ASSAY_FAKE_ENTER(ListJobs);
    response->set_next_page_token(FillPage(
        state.jobs, *request,
        [request](const v1::Job& job) {
          return Accepts(request->submission_id(), job.submission_id());
        },
        response->mutable_jobs()));
    return grpc::Status::OK;
  }

  grpc::Status WatchSubmissions(
      grpc::ServerContext* context, const v1::WatchSubmissionsRequest* request,
      grpc::ServerWriter<v1::SubmissionEvent>* writer) override {
    std::vector<v1::SubmissionEvent> events;
    bool hold = false;
    grpc::Status error;
    std::function<void()> on_watched;
    {
      ASSAY_FAKE_ENTER(WatchSubmissions);
      for (const std::string& id : request->submission_ids()) {
        v1::Submission submission;
        const grpc::Status found = Find(state, id, &submission);
        if (!found.ok()) return found;
        AppendEvents(state, submission, events);
      }
      hold = state.hold_watch;
      on_watched = state.on_watched;
      if (!state.break_watch_after.empty()) {
        error = ToGrpcStatus(state.break_watch_with);
        events.resize(
            std::min(events.size(),
                     static_cast<size_t>(state.break_watch_after.front())));
        state.break_watch_after.pop_front();
      }
    }
    for (const v1::SubmissionEvent& event : events) writer->Write(event);
    if (on_watched) on_watched();
    if (!error.ok()) return error;
    if (hold) AwaitCancelled(*context);
    return grpc::Status::OK;
  }

  grpc::Status CancelSubmission(grpc::ServerContext*,
                                const v1::CancelSubmissionRequest* request,
                                v1::Submission* response) override {
    ASSAY_FAKE_ENTER(CancelSubmission);
    state.cancelled.push_back(request->id());
    return Find(state, request->id(), response);
  }

  grpc::Status GetTrace(grpc::ServerContext*,
                        const v1::GetTraceRequest* request,
                        v1::TraceRecord* response) override {
    ASSAY_FAKE_ENTER(GetTrace);
    for (const v1::TraceRecord& record : state.traces) {
      if (record.id() != request->id()) continue;
      *response = record;
      return grpc::Status::OK;
    }
    return NotFound("trace", request->id());
  }

  grpc::Status ReviewTrace(grpc::ServerContext*,
                           const v1::ReviewTraceRequest* request,
                           v1::TraceRecord* response) override {
    ASSAY_FAKE_ENTER(ReviewTrace);
    for (v1::TraceRecord& record : state.traces) {
      if (record.id() != request->id()) continue;
      v1::Review& review = *record.add_reviews();
      review.set_decision(request->decision());
      review.set_reviewer(request->reviewer());
      review.set_reason(request->reason());
      record.set_review_state(request->decision());
      *response = record;
      return grpc::Status::OK;
    }
    return NotFound("trace", request->id());
  }

  grpc::Status ListTraces(grpc::ServerContext*,
                          const v1::ListTracesRequest* request,
                          v1::ListTracesResponse* response) override {
    ASSAY_FAKE_ENTER(ListTraces);
    response->set_next_page_token(FillPage(
        state.traces, *request,
        [request](const v1::TraceRecord& record) {
          return Accepts(request->definition(), record.trace().definition()) &&
                 Accepts(request->solution(), record.trace().solution()) &&
                 (request->status() == v1::EVALUATION_STATUS_UNSPECIFIED ||
                  request->status() == record.trace().evaluation().status()) &&
                 (request->review_state() == v1::Review::STATE_UNSPECIFIED ||
                  request->review_state() == record.review_state());
        },
        response->mutable_traces()));
    return grpc::Status::OK;
  }

 private:
  static grpc::Status Find(const FakeCoordinator::State& state,
                           const std::string& id, v1::Submission* response) {
    for (const v1::Submission& submission : state.submissions) {
      if (submission.id() != id) continue;
      *response = submission;
      return grpc::Status::OK;
    }
    return NotFound("submission", id);
  }

  static void AppendEvents(FakeCoordinator::State& state,
                           const v1::Submission& submission,
                           std::vector<v1::SubmissionEvent>& out) {
    const size_t begin = out.size();
    *out.emplace_back().mutable_submission() = submission;
    for (const v1::SubmissionEvent& event : state.events[submission.id()]) {
      out.push_back(event);
    }
    if (!state.hold_watch) *out.emplace_back().mutable_done() = submission;
    for (size_t i = begin; i < out.size(); ++i) {
      out[i].set_submission_id(submission.id());
      out[i].set_sequence(static_cast<int64_t>(i) + 1);
    }
  }

  // Until the client gives the call up, or the test ends the server.
  void AwaitCancelled(grpc::ServerContext& context) {
    absl::MutexLock lock(&shared_.mutex);
    while (!context.IsCancelled() && shared_.state.hold_watch) {
      shared_.mutex.AwaitWithTimeout(
          absl::Condition(
              +[](FakeCoordinator::State* state) { return !state->hold_watch; },
              &shared_.state),
          absl::Milliseconds(5));
    }
  }

  FakeShared& shared_;
};

class Board final : public v1::LeaderboardService::Service {
 public:
  explicit Board(FakeShared& shared) : shared_(shared) {}
  grpc::Status GetLeaderboard(grpc::ServerContext*,
                              const v1::GetLeaderboardRequest* request,
                              v1::Leaderboard* response) override {
    ASSAY_FAKE_ENTER(GetLeaderboard);
    for (const v1::Leaderboard& board : state.boards) {
      if (board.key().definition() != request->definition() ||
          !Accepts(request->hardware(), board.key().hardware())) {
        continue;
      }
      *response = board;
      return grpc::Status::OK;
    }
    return NotFound("definition", request->definition());
  }

  grpc::Status ListLeaderboards(
      grpc::ServerContext*, const v1::ListLeaderboardsRequest* request,
      v1::ListLeaderboardsResponse* response) override {
    ASSAY_FAKE_ENTER(ListLeaderboards);
    std::vector<v1::LeaderboardKey> keys;
    for (const v1::Leaderboard& board : state.boards) {
      keys.push_back(board.key());
    }
    response->set_next_page_token(FillPage(
        keys, *request, [](const v1::LeaderboardKey&) { return true; },
        response->mutable_leaderboards()));
    return grpc::Status::OK;
  }

 private:
  FakeShared& shared_;
};

class Worker final : public v1::WorkerService::Service {
 public:
  explicit Worker(FakeShared& shared) : shared_(shared) {}
  grpc::Status ListWorkers(grpc::ServerContext*,
                           const v1::ListWorkersRequest* request,
                           v1::ListWorkersResponse* response) override {
    ASSAY_FAKE_ENTER(ListWorkers);
    response->set_next_page_token(FillPage(
        state.workers, *request, [](const v1::WorkerRecord&) { return true; },
        response->mutable_workers()));
    return grpc::Status::OK;
  }

  grpc::Status GetWorker(grpc::ServerContext*,
                         const v1::GetWorkerRequest* request,
                         v1::WorkerRecord* response) override {
    ASSAY_FAKE_ENTER(GetWorker);
    for (const v1::WorkerRecord& record : state.workers) {
      if (record.worker_id() != request->worker_id()) continue;
      *response = record;
      return grpc::Status::OK;
    }
    return NotFound("worker", request->worker_id());
  }

 private:
  FakeShared& shared_;
};

}  // namespace

std::vector<std::unique_ptr<grpc::Service>> MakeFakeEvaluationServices(
    FakeShared& shared) {
  std::vector<std::unique_ptr<grpc::Service>> services;
  services.push_back(std::make_unique<Evaluation>(shared));
  services.push_back(std::make_unique<Board>(shared));
  services.push_back(std::make_unique<Worker>(shared));
  return services;
}

}  // namespace assay
