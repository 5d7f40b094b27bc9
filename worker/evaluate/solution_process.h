// The solution of a lease: its build and the runner process that has loaded it.

#ifndef ASSAY_WORKER_EVALUATE_SOLUTION_PROCESS_H_
#define ASSAY_WORKER_EVALUATE_SOLUTION_PROCESS_H_

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "assay/v1/definition.pb.h"
#include "assay/v1/solution.pb.h"
#include "worker/evaluate/evaluation_tools.h"
#include "worker/evaluate/verdict.h"
#include "worker/runner/session.h"

namespace assay {

// Used by one thread, but for Abort. A Status is an infrastructure failure; a
// Verdict is about the solution; neither means success.
class SolutionProcess {
 public:
  // All arguments outlive it.
  SolutionProcess(const EvaluationTools& tools,
                  const v1::Definition& definition,
                  const v1::Solution& solution)
      : tools_(tools), definition_(definition), solution_(solution) {}

  // Compiles it, or finds it compiled. Once; the other calls need it.
  // CANCELLED once `is_off` says so, which is asked now and then.
  absl::StatusOr<std::optional<Verdict>> Build(
      absl::Duration timeout, const std::function<bool()>& is_off);

  // Makes sure that there is a process for the solution, with the device open:
  // the one of the job before, if it is still in order.
  absl::Status Start(absl::Duration timeout);

  // Makes sure that the process, started if need be, has loaded the solution.
  absl::StatusOr<std::optional<Verdict>> Load(absl::Duration timeout);

  absl::StatusOr<RunnerOutcome> Bind(const CaseMemory& memory,
                                     absl::Duration timeout);
  absl::StatusOr<RunnerOutcome> Run(const worker::Run& run,
                                    absl::Duration timeout);

  // Makes the process let go of the memory that it was bound to.
  void ReleaseMemory();

  // Whether there is a process that has loaded the solution.
  bool is_loaded() { return is_loaded_ && is_alive(); }

  // What it printed since the last call.
  std::string TakeLog();

  // What happened in pauses between calls since the last call of this.
  PauseRecord TakePauses();

  // Ends the process and waits until it is gone; the next job gets a new one.
  void End();

  // Ends the process; whatever is in progress comes out as kDied. Thread-safe.
  void Abort();

 private:
  bool is_compiled() const;
  // Whether it runs in the Python runner.
  bool is_python() const;
  // Whether there is a process that can still answer.
  bool is_alive();
  absl::StatusOr<worker::Load> LoadRequest(UniqueFd& content) const;
  std::shared_ptr<RunnerSession> session();
  void SetSession(std::shared_ptr<RunnerSession> session);

  const EvaluationTools& tools_;
  const v1::Definition& definition_;
  const v1::Solution& solution_;
  std::string library_path_;
  bool is_loaded_ = false;
  // Of processes that are no more.
  PauseRecord pauses_;
  absl::Mutex mutex_;
  std::shared_ptr<RunnerSession> session_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace assay

#endif  // ASSAY_WORKER_EVALUATE_SOLUTION_PROCESS_H_
