#include "worker/evaluate/lease_evaluation.h"

#include <algorithm>
#include <thread>
#include <utility>

#include "absl/synchronization/notification.h"
#include "base/log.h"
#include "base/status_macros.h"
#include "worker/evaluate/evaluation_report.h"
#include "worker/evaluate/job_evaluation.h"
#include "worker/evaluate/memory_return.h"

namespace assay {
namespace {

constexpr absl::Duration kCancelPoll = absl::Milliseconds(100);

// While it lives, watches for the job being called off and then aborts what
// runs, again and again: a process may start just after it was looked for.
class CancelWatch {
 public:
  CancelWatch(const JobObserver& observer, const std::string& job_id,
              Baseline& baseline, SolutionProcess& solution)
      : thread_([this, &observer, job_id, &baseline, &solution] {
          while (!over_.WaitForNotificationWithTimeout(kCancelPoll)) {
            if (!observer.IsOff(job_id)) continue;
            solution.Abort();
            baseline.Abort();
          }
        }) {}
  ~CancelWatch() {
    over_.Notify();
    thread_.join();
  }

 private:
  absl::Notification over_;
  std::thread thread_;
};

}  // namespace

LeaseEvaluation::LeaseEvaluation(const EvaluationTools& tools,
                                 const v1::Lease& lease, JobObserver& observer)
    : tools_(tools),
      lease_(lease),
      settings_(ResolveSettings(lease.definition(), lease.config())),
      observer_(observer),
      solution_(tools, lease.definition(), lease.solution()) {}

absl::Status LeaseEvaluation::Run() {
  const BuildEnd end = Build();
  // Also when that is why the build ended.
  if (AllAreOff()) return absl::OkStatus();
  if (!std::holds_alternative<std::monostate>(end)) return ReportBuildEnd(end);
  ReportStage(v1::WAITING);
  WarmUp();
  absl::MutexLock turn(&tools_.device_turn);
  absl::Status status = RunJobs();
  // With the turn goes whatever the solution may still be doing.
  solution_.End();
  return status;
}

void LeaseEvaluation::WarmUp() {
  // What fails here is tried again, and told, when a job needs it.
  solution_.Start(settings_.load_timeout).IgnoreError();
  const auto baseline = tools_.baselines.Take(lease_.definition_digest());
  (*baseline)->Start(lease_.definition(), lease_.definition_digest(),
                     settings_);
}

absl::Status LeaseEvaluation::RunJobs() {
  if (AllAreOff()) return absl::OkStatus();
  const absl::Status ready = CheckDevice();
  if (!ready.ok()) {
    // No job has begun: they go back, and the worker says what is wrong before
    // it asks for others.
    LogWarning(
        "the device cannot take the lease",
        {{"lease", lease_.id()}, {"reason", std::string(ready.message())}});
    return absl::OkStatus();
  }
  const auto baseline = tools_.baselines.Take(lease_.definition_digest());
  for (const v1::LeasedJob& job : lease_.jobs()) {
    if (observer_.IsOff(job.job_id())) continue;
    ASSAY_RETURN_IF_ERROR(RunJob(job, **baseline));
  }
  return absl::OkStatus();
}

absl::Status LeaseEvaluation::CheckDevice() {
  absl::Status status = tools_.device.CheckReady();
  if (!absl::IsResourceExhausted(status)) return status;
  // The processes kept ready may be what takes the memory.
  tools_.baselines.Clear();
  solution_.End();
  return RetryWhileExhausted(tools_.clock,
                             [this] { return tools_.device.CheckReady(); });
}

bool LeaseEvaluation::AllAreOff() const {
  return std::all_of(lease_.jobs().begin(), lease_.jobs().end(),
                     [this](const v1::LeasedJob& job) {
                       return observer_.IsOff(job.job_id());
                     });
}

void LeaseEvaluation::ReportStage(v1::JobStage stage) {
  for (const v1::LeasedJob& job : lease_.jobs()) {
    observer_.ReportStage(job, stage);
  }
}

LeaseEvaluation::BuildEnd LeaseEvaluation::Build() {
  ReportStage(v1::BUILD);
  const absl::Duration begin = tools_.clock.Monotonic();
  absl::StatusOr<std::optional<Verdict>> built =
      solution_.Build(settings_.build_timeout, [this] { return AllAreOff(); });
  build_time_ = tools_.clock.Monotonic() - begin;
  if (!built.ok()) return built.status();
  if (built->has_value()) return **std::move(built);
  return std::monostate();
}

absl::Status LeaseEvaluation::ReportBuildEnd(const BuildEnd& end) {
  StageClock stages(tools_.clock, [](v1::JobStage) {});
  stages.Add(v1::BUILD, build_time_);
  for (const v1::LeasedJob& job : lease_.jobs()) {
    if (observer_.IsOff(job.job_id())) continue;
    if (const Verdict* verdict = std::get_if<Verdict>(&end)) {
      observer_.ReportCompleted(
          job, NewEvaluation(tools_, settings_, stages, *verdict, ""));
    } else {
      JobFault fault = WorkerFault(std::get<absl::Status>(end));
      observer_.ReportFailed(job, std::move(fault.failure), fault.retryable);
      return std::get<absl::Status>(end);
    }
  }
  return absl::OkStatus();
}

absl::Status LeaseEvaluation::RunJob(const v1::LeasedJob& job,
                                     Baseline& baseline) {
  StageClock stages(tools_.clock, [this, &job](v1::JobStage stage) {
    observer_.ReportStage(job, stage);
  });
  stages.Add(v1::BUILD, std::exchange(build_time_, absl::ZeroDuration()));
  JobResult result;
  {
    const CancelWatch watch(observer_, job.job_id(), baseline, solution_);
    const auto evaluate = [&] {
      JobEvaluation evaluation(tools_, lease_, job, settings_, baseline,
                               solution_, stages);
      result = evaluation.Run();
      return evaluation.runner_failed();
    };
    // A runner that says that it failed itself is believed once, and started
    // anew: a solution may have it say so, but gains nothing.
    if (evaluate()) evaluate();
  }
  if (observer_.IsOff(job.job_id())) {
    observer_.ReportStopped(job);
    return absl::OkStatus();
  }
  if (v1::Evaluation* evaluation = std::get_if<v1::Evaluation>(&result)) {
    observer_.ReportCompleted(job, std::move(*evaluation));
  } else {
    auto& fault = std::get<JobFault>(result);
    absl::Status status;
    if (fault.failure.reason() == kWorkerError) {
      status = absl::InternalError(fault.failure.message());
    }
    observer_.ReportFailed(job, std::move(fault.failure), fault.retryable);
    return status;
  }
  return absl::OkStatus();
}

}  // namespace assay
