#include <chrono>
#include <memory>
#include <utility>

#include "absl/time/clock.h"
#include "assay/v1/evaluation_service.grpc.pb.h"
#include "base/status_macros.h"
#include "tests/load/calls.h"
#include "tests/load/open_loop.h"
#include "tests/load/process_usage.h"
#include "tests/load/report.h"
#include "tests/load/samples.h"
#include "tests/load/scenarios.h"

namespace assay::load {
namespace {

// Lives until its call has ended.
struct SubmitCall {
  grpc::ClientContext context;
  v1::CreateSubmissionRequest request;
  v1::Submission response;
};

void StartSubmit(v1::EvaluationService::Stub& stub, const Target& target,
                 int workloads, int number, int64_t run, OpenLoop::Done done) {
  auto call = std::make_shared<SubmitCall>();
  call->context.set_deadline(std::chrono::system_clock::now() +
                             std::chrono::minutes(1));
  const int definition = number % target.definitions;
  *call->request.mutable_solution() = MakeSolution(
      definition, number / target.definitions % target.solutions, run + number);
  for (int i = 0; i < workloads; ++i) {
    call->request.add_workload_uuids(
        WorkloadUuid(definition, (number + i) % target.workloads));
  }
  stub.async()->CreateSubmission(
      &call->context, &call->request, &call->response,
      [call, done = std::move(done)](const grpc::Status& status) {
        done(FromGrpcStatus(status));
      });
}

}  // namespace

absl::Status MeasureSubmit(const Target& target, const SubmitOptions& options) {
  const auto stub = v1::EvaluationService::NewStub(Connect(target.address));
  // No other run has brought these revisions.
  const int64_t run = absl::ToUnixMicros(absl::Now());
  const auto start = [&](int number, OpenLoop::Done done) {
    StartSubmit(*stub, target, options.workloads, number, run, std::move(done));
  };
  OpenLoop warm_up;
  ASSAY_RETURN_IF_ERROR(
      warm_up.Run(options.rate / 10 + 1, absl::Seconds(1), start));

  ASSAY_ASSIGN_OR_RETURN(const ProcessUsage before,
                         ReadProcessUsage(target.pid));
  OpenLoop loop;
  const int64_t later = run + options.rate;
  ASSAY_RETURN_IF_ERROR(loop.Run(options.rate, options.length,
                                 [&](int number, OpenLoop::Done done) {
                                   StartSubmit(*stub, target, options.workloads,
                                               number, later, std::move(done));
                                 }));
  ASSAY_ASSIGN_OR_RETURN(const ProcessUsage after,
                         ReadProcessUsage(target.pid));

  Report report("submit", target.json_path);
  report.Add("submissions a second", options.rate, "/s");
  report.Add("jobs of each", options.workloads, "");
  report.AddLatencies("due to answered", loop.latencies(), "p99 below 20 ms");
  report.Add("coordinator's processor time",
             absl::ToDoubleMicroseconds(after.cpu - before.cpu) /
                 static_cast<double>(loop.latencies().count()),
             "us each");
  return report.status();
}

}  // namespace assay::load
