#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/synchronization/notification.h"
#include "absl/time/clock.h"
#include "assay/v1/evaluation_service.grpc.pb.h"
#include "base/status_macros.h"
#include "tests/load/calls.h"
#include "tests/load/process_usage.h"
#include "tests/load/report.h"
#include "tests/load/samples.h"
#include "tests/load/scenarios.h"
#include "tests/load/workers.h"

namespace assay::load {
namespace {

constexpr absl::Duration kPatience = absl::Seconds(60);

absl::Status WaitUntilAllAsk(const Workers& workers, int count) {
  const absl::Time deadline = absl::Now() + kPatience;
  while (workers.asking() < count) {
    if (absl::Now() > deadline) {
      return absl::DeadlineExceededError(absl::StrCat(
          "only ", workers.asking(), " of ", count, " workers wait for work"));
    }
    absl::SleepFor(absl::Milliseconds(10));
  }
  return absl::OkStatus();
}

absl::Status SubmitOneJob(const Target& target) {
  const auto stub = v1::EvaluationService::NewStub(Connect(target.address));
  v1::CreateSubmissionRequest request;
  request.set_solution_name(SolutionName(0, 0));
  request.add_workload_uuids(WorkloadUuid(0, 0));
  return Call(*stub, &v1::EvaluationService::Stub::CreateSubmission, request)
      .status();
}

}  // namespace

absl::Status MeasureIdle(const Target& target, const IdleOptions& options) {
  ASSAY_ASSIGN_OR_RETURN(const ProcessUsage alone,
                         ReadProcessUsage(target.pid));
  absl::Notification recorded;
  Workers workers(target, options.workers, 0,
                  [&](absl::Duration) { recorded.Notify(); });
  const absl::Time begin = absl::Now();
  workers.Start();
  ASSAY_RETURN_IF_ERROR(WaitUntilAllAsk(workers, options.workers));
  const absl::Duration connecting = absl::Now() - begin;

  ASSAY_ASSIGN_OR_RETURN(const ProcessUsage before,
                         ReadProcessUsage(target.pid));
  const int64_t answers_before = workers.answers();
  absl::SleepFor(options.length);
  ASSAY_ASSIGN_OR_RETURN(const ProcessUsage after,
                         ReadProcessUsage(target.pid));
  const int64_t answers = workers.answers() - answers_before;

  const absl::Time submitted = absl::Now();
  ASSAY_RETURN_IF_ERROR(SubmitOneJob(target));
  if (!recorded.WaitForNotificationWithTimeout(kPatience)) {
    return absl::DeadlineExceededError("no worker took the job");
  }
  const absl::Duration taking = absl::Now() - submitted;
  ASSAY_RETURN_IF_ERROR(WaitUntilAllAsk(workers, options.workers));
  ASSAY_ASSIGN_OR_RETURN(const ProcessUsage woken,
                         ReadProcessUsage(target.pid));
  ASSAY_RETURN_IF_ERROR(workers.Stop());

  Report report("idle", target.json_path);
  report.Add("workers connected", options.workers, "");
  report.Add("all connected after", absl::ToDoubleMilliseconds(connecting),
             "ms");
  report.Add("coordinator's memory before",
             static_cast<double>(alone.resident_bytes) / 1e6, "MB");
  report.Add("coordinator's memory, largest",
             static_cast<double>(woken.peak_resident_bytes) / 1e6, "MB",
             "below 500 with 1000 workers");
  report.Add("processor used",
             100 * absl::ToDoubleSeconds(after.cpu - before.cpu) /
                 absl::ToDoubleSeconds(options.length),
             "%");
  report.Add("polls answered", static_cast<double>(answers), "");
  report.Add("one job, submitted to recorded",
             absl::ToDoubleMilliseconds(taking), "ms");
  report.Add("processor time of one job",
             absl::ToDoubleMilliseconds(woken.cpu - after.cpu), "ms");
  return report.status();
}

}  // namespace assay::load
