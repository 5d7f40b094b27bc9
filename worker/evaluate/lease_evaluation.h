// Carries out a lease: builds its solution once, waits for the device, then
// evaluates job by job.

#ifndef ASSAY_WORKER_EVALUATE_LEASE_EVALUATION_H_
#define ASSAY_WORKER_EVALUATE_LEASE_EVALUATION_H_

#include <string>
#include <variant>

#include "assay/v1/worker_service.pb.h"
#include "worker/evaluate/baseline.h"
#include "worker/evaluate/evaluation_tools.h"
#include "worker/evaluate/job_observer.h"
#include "worker/evaluate/settings.h"
#include "worker/evaluate/solution_process.h"

namespace assay {

class LeaseEvaluation {
 public:
  // All arguments outlive it.
  LeaseEvaluation(const EvaluationTools& tools, const v1::Lease& lease,
                  JobObserver& observer);

  // Returns when every job has been reported or is off. A job that is called
  // off while it runs is stopped within a fraction of a second. After a fault
  // of this worker, which is returned, the other jobs are left alone.
  absl::Status Run();

 private:
  // Starts the processes that the jobs will need.
  void WarmUp();
  absl::Status RunJobs();
  absl::Status RunJob(const v1::LeasedJob& job, Baseline& baseline);
  // OK when the device can be worked on.
  absl::Status CheckDevice();
  void ReportStage(v1::JobStage stage);
  bool AllAreOff() const;
  // Nothing, or how the build failed, for every job.
  using BuildEnd = std::variant<std::monostate, Verdict, absl::Status>;
  BuildEnd Build();
  absl::Status ReportBuildEnd(const BuildEnd& end);

  const EvaluationTools& tools_;
  const v1::Lease& lease_;
  const EvaluationSettings settings_;
  JobObserver& observer_;
  SolutionProcess solution_;
  // Time of the build, which the first job's evaluation tells.
  absl::Duration build_time_;
};

}  // namespace assay

#endif  // ASSAY_WORKER_EVALUATE_LEASE_EVALUATION_H_
