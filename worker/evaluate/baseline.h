// Runs a definition's reference, in a process of its own, to get the expected
// outputs and the latency that solutions are compared with.

#ifndef ASSAY_WORKER_EVALUATE_BASELINE_H_
#define ASSAY_WORKER_EVALUATE_BASELINE_H_

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "assay/v1/definition.pb.h"
#include "worker/device/device_watch.h"
#include "worker/evaluate/case_memory.h"
#include "worker/evaluate/job_result.h"
#include "worker/evaluate/settings.h"
#include "worker/evaluate/timed_call.h"
#include "worker/runner/python_zygote.h"
#include "worker/runner/session.h"

namespace assay {

struct ReferenceTime {
  double median_ms = 0;
  // Whether the device was held back meanwhile; see IsSlowedDown.
  bool is_slowed_down = false;
};

// Used by one thread, but for Abort.
class Baseline {
 public:
  // The zygote outlives the baseline. `set_up` is what its process is asked to
  // open; none: it works on the CPU. It runs on `cpus`; empty: wherever.
  Baseline(PythonZygote& zygote, std::optional<worker::SetUp> set_up,
           std::vector<int> cpus)
      : zygote_(zygote), set_up_(std::move(set_up)), cpus_(std::move(cpus)) {}

  // Loads the reference, unless it is the one loaded last. Nothing is returned
  // on success, here and below.
  std::optional<JobFault> Start(const v1::Definition& definition,
                                const std::string& definition_digest,
                                const EvaluationSettings& settings);

  // Gives it the memory; comes after Start.
  std::optional<JobFault> Bind(const CaseMemory& memory,
                               const EvaluationSettings& settings);

  // Computes what is expected of the original inputs.
  std::optional<JobFault> Compute(const EvaluationSettings& settings);

  // Computes what is expected of every draw that the memory has, with one
  // request.
  std::optional<JobFault> ComputeAll(const CaseMemory& memory,
                                     const EvaluationSettings& settings);

  // A call that does nothing, by the worker's clock and the process's; or one
  // that does nothing for as long as `spin`.
  std::variant<TimedCall, JobFault> Ping(
      const EvaluationSettings& settings, Device& device, Watching watching,
      absl::Duration spin = absl::ZeroDuration());

  // Calls of the draw that is staged, delivered anew to each as it is to a
  // solution's. With the settings' number of samples; fewer where the reference
  // is so slow that they would take more than seconds.
  std::variant<ReferenceTime, JobFault> Time(const CaseMemory& memory,
                                             const EvaluationSettings& settings,
                                             Device& device);

  // Makes the process let go of the memory that it was bound to.
  void ReleaseMemory();

  // Ends the process; whatever is in progress fails. Thread-safe.
  void Abort();

 private:
  std::optional<JobFault> Load(const v1::Definition& definition,
                               absl::Duration timeout);
  // The answer, or the fault that it amounts to.
  std::variant<worker::Ran, JobFault> Run(const worker::Run& run,
                                          absl::Duration timeout);
  // Ends a session that is of no further use.
  JobFault FaultOf(const RunnerOutcome& outcome, absl::string_view what,
                   absl::Duration timeout);
  // Whether there is a process that can still answer.
  bool is_alive();
  std::shared_ptr<RunnerSession> session();
  void SetSession(std::shared_ptr<RunnerSession> session);

  PythonZygote& zygote_;
  const std::optional<worker::SetUp> set_up_;
  const std::vector<int> cpus_;
  std::string definition_name_;
  // Digest of the definition that the session has loaded; empty for none.
  std::string loaded_digest_;
  absl::Mutex mutex_;
  std::shared_ptr<RunnerSession> session_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace assay

#endif  // ASSAY_WORKER_EVALUATE_BASELINE_H_
