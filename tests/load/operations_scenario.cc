#include <chrono>
#include <functional>
#include <memory>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "assay/v1/evaluation_service.grpc.pb.h"
#include "assay/v1/leaderboard_service.grpc.pb.h"
#include "assay/v1/worker_service.grpc.pb.h"
#include "base/random_id.h"
#include "base/status_macros.h"
#include "tests/load/calls.h"
#include "tests/load/latencies.h"
#include "tests/load/process_usage.h"
#include "tests/load/report.h"
#include "tests/load/samples.h"
#include "tests/load/scenarios.h"

namespace assay::load {
namespace {

constexpr char kWorker[] = "operations";

// The calls, each of which does one operation once.
class Operations {
 public:
  explicit Operations(const Target& target)
      : target_(target),
        channel_(Connect(target.address)),
        evaluation_(v1::EvaluationService::NewStub(channel_)),
        board_(v1::LeaderboardService::NewStub(channel_)),
        worker_(v1::WorkerService::NewStub(channel_)) {}

  absl::Status Register() {
    v1::RegisterWorkerRequest request;
    request.set_worker_id(kWorker);
    request.set_session_id(session_);
    *request.mutable_device() = MakeDevice();
    return Call(*worker_, &v1::WorkerService::Stub::RegisterWorker, request)
        .status();
  }

  absl::Status Submit(int number) {
    const int definition = number % target_.definitions;
    v1::CreateSubmissionRequest request;
    request.set_solution_name(
        SolutionName(definition, number % target_.solutions));
    request.add_workload_uuids(
        WorkloadUuid(definition, number % target_.workloads));
    ASSAY_ASSIGN_OR_RETURN(
        const v1::Submission submission,
        Call(*evaluation_, &v1::EvaluationService::Stub::CreateSubmission,
             request));
    submissions_.push_back(submission.id());
    return absl::OkStatus();
  }

  absl::Status Claim(int) {
    v1::AcquireLeaseRequest request;
    request.set_worker_id(kWorker);
    request.set_session_id(session_);
    request.set_request_id(RandomId("req-"));
    ASSAY_ASSIGN_OR_RETURN(
        v1::AcquireLeaseResponse response,
        Call(*worker_, &v1::WorkerService::Stub::AcquireLease, request));
    if (response.lease().jobs_size() != 1) {
      return absl::InternalError("the coordinator gave no lease of one job");
    }
    leases_.push_back(std::move(*response.mutable_lease()));
    return absl::OkStatus();
  }

  // Accepts, reports the evaluation, finishes: one stream.
  absl::Status Record(int number) {
    const v1::Lease& lease = leases_[number];
    grpc::ClientContext context;
    context.set_deadline(std::chrono::system_clock::now() +
                         std::chrono::minutes(1));
    const auto stream = worker_->RunLease(&context);
    v1::LeaseReport report;
    report.set_lease_id(lease.id());
    report.set_worker_id(kWorker);
    report.set_session_id(session_);
    report.mutable_accept();
    stream->Write(report);
    report.set_number(1);
    v1::LeaseReport::Completed& completed = *report.mutable_completed();
    completed.set_job_id(lease.jobs(0).job_id());
    completed.set_fence(lease.jobs(0).fence());
    *completed.mutable_evaluation() = MakeEvaluation(number);
    stream->Write(report);
    report.set_number(2);
    report.mutable_finished();
    stream->Write(report);
    v1::LeaseDirective directive;
    while (stream->Read(&directive)) {
    }
    return FromGrpcStatus(stream->Finish());
  }

  absl::Status GetSubmission(int number) {
    v1::GetSubmissionRequest request;
    request.set_id(submissions_[number]);
    return Call(*evaluation_, &v1::EvaluationService::Stub::GetSubmission,
                request)
        .status();
  }

  absl::Status ListSubmissions(int) {
    return Call(*evaluation_, &v1::EvaluationService::Stub::ListSubmissions,
                v1::ListSubmissionsRequest())
        .status();
  }

  absl::Status ListActive(int) {
    v1::ListSubmissionsRequest request;
    request.set_active_only(true);
    return Call(*evaluation_, &v1::EvaluationService::Stub::ListSubmissions,
                request)
        .status();
  }

  absl::Status ListTraces(const v1::ListTracesRequest& request) {
    ASSAY_ASSIGN_OR_RETURN(
        const v1::ListTracesResponse response,
        Call(*evaluation_, &v1::EvaluationService::Stub::ListTraces, request));
    if (response.traces().empty()) {
      return absl::InternalError("the list of traces is empty");
    }
    trace_ = response.traces(0).id();
    return absl::OkStatus();
  }

  absl::Status ListAll(int) { return ListTraces({}); }

  absl::Status ListOfSolution(int number) {
    const int definition = number % target_.definitions;
    v1::ListTracesRequest request;
    request.set_definition(DefinitionName(definition));
    request.set_solution(SolutionName(definition, number % target_.solutions));
    return ListTraces(request);
  }

  absl::Status ListFailedOfDefinition(int number) {
    v1::ListTracesRequest request;
    request.set_definition(DefinitionName(number % target_.definitions));
    request.set_status(v1::INCORRECT_NUMERICAL);
    return ListTraces(request);
  }

  absl::Status GetTrace(int) {
    v1::GetTraceRequest request;
    request.set_id(trace_);
    return Call(*evaluation_, &v1::EvaluationService::Stub::GetTrace, request)
        .status();
  }

  absl::Status GetBoard(int number) {
    v1::GetLeaderboardRequest request;
    request.set_definition(DefinitionName(number % target_.definitions));
    return Call(*board_, &v1::LeaderboardService::Stub::GetLeaderboard, request)
        .status();
  }

  absl::Status ListBoards(int) {
    return Call(*board_, &v1::LeaderboardService::Stub::ListLeaderboards,
                v1::ListLeaderboardsRequest())
        .status();
  }

 private:
  const Target target_;
  const std::string session_ = RandomId("ses-");
  const std::shared_ptr<grpc::Channel> channel_;
  const std::unique_ptr<v1::EvaluationService::Stub> evaluation_;
  const std::unique_ptr<v1::LeaderboardService::Stub> board_;
  const std::unique_ptr<v1::WorkerService::Stub> worker_;
  std::vector<std::string> submissions_;
  std::vector<v1::Lease> leases_;
  std::string trace_;
};

}  // namespace

absl::Status MeasureOperations(const Target& target,
                               const OperationsOptions& options) {
  Operations operations(target);
  ASSAY_RETURN_IF_ERROR(operations.Register());
  // In this order: what is submitted is claimed, then recorded.
  const std::pair<const char*, absl::Status (Operations::*)(int)> steps[] = {
      {"submit one job", &Operations::Submit},
      {"claim one job", &Operations::Claim},
      {"record one evaluation", &Operations::Record},
      {"get a submission", &Operations::GetSubmission},
      {"list submissions", &Operations::ListSubmissions},
      {"list active submissions", &Operations::ListActive},
      {"list traces", &Operations::ListAll},
      {"list traces of a solution", &Operations::ListOfSolution},
      {"list failed traces", &Operations::ListFailedOfDefinition},
      {"get a trace", &Operations::GetTrace},
      {"get a leaderboard", &Operations::GetBoard},
      {"list leaderboards", &Operations::ListBoards},
  };
  Report report("operations", target.json_path);
  for (const auto& [name, step] : steps) {
    Latencies latencies;
    ASSAY_ASSIGN_OR_RETURN(const ProcessUsage before,
                           ReadProcessUsage(target.pid));
    for (int i = 0; i < options.repeats; ++i) {
      const absl::Time begin = absl::Now();
      ASSAY_RETURN_IF_ERROR(Annotate((operations.*step)(i), name));
      latencies.Add(absl::Now() - begin);
    }
    ASSAY_ASSIGN_OR_RETURN(const ProcessUsage after,
                           ReadProcessUsage(target.pid));
    report.AddLatencies(name, latencies);
    report.Add(
        absl::StrCat(name, ", processor"),
        absl::ToDoubleMicroseconds(after.cpu - before.cpu) / options.repeats,
        "us each");
  }
  return report.status();
}

}  // namespace assay::load
