// Calls a solution and checks each call: its inputs come into being right
// before it, its outputs, poisoned before it, are compared with what is
// expected, and the memory around them must be as it was. There is one kind of
// call; nothing tells a solution which of them count.

#ifndef ASSAY_WORKER_EVALUATE_CHECKED_CALLS_H_
#define ASSAY_WORKER_EVALUATE_CHECKED_CALLS_H_

#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "kernels/measure/philox.h"
#include "schema/shape.h"
#include "worker/device/device.h"
#include "worker/device/device_watch.h"
#include "worker/evaluate/case_memory.h"
#include "worker/evaluate/evaluators/evaluator.h"
#include "worker/evaluate/settings.h"
#include "worker/evaluate/solution_process.h"
#include "worker/evaluate/timed_call.h"
#include "worker/evaluate/verdict.h"

namespace assay {

// Rule `process_left_running`, of a request that made calls.
std::optional<BrokenRule> JudgeProcessesLeft(const RunnerOutcome& outcome);

// Rule `ran_between_calls`, of a process that had itself woken.
std::optional<BrokenRule> JudgeWaking(const RunnerOutcome& outcome);

class CheckedCalls {
 public:
  // How a call ended: well, or with what there is to say about the solution, or
  // with a fault of this worker.
  using End = std::variant<TimedCall, Verdict, BrokenRule, absl::Status>;

  // All references outlive it.
  CheckedCalls(Device& device, const ResolvedCase& sizes,
               const CaseMemory& memory, const EvaluationSettings& settings,
               const measure::Key& pattern_key, Evaluator& evaluator,
               SolutionProcess& solution);

  // Each call must make the device work: a time of 0 is a broken rule.
  void RequireDeviceWork() { requires_device_work_ = true; }

  // Puts patterns into the guard bands; comes first.
  absl::Status PoisonGuards();

  // One call on what is staged, at a place and a slot that nobody can foretell.
  // All calls of an evaluation together have the settings' run_timeout.
  End Make(Watching watching = Watching::kNo) {
    return Make(evaluator_, watching);
  }
  // The same, with outputs that `evaluator` judges.
  End Make(Evaluator& evaluator, Watching watching = Watching::kNo);

  // Rule `input_modified`, as long as the last call's inputs are staged.
  absl::StatusOr<std::optional<BrokenRule>> CheckInputs();

  // Judges the calls, unless another one is given.
  const Evaluator& evaluator() const { return evaluator_; }

  // What the calls took of the run_timeout was not the solution's affair.
  void GiveBack(const std::vector<TimedCall>& calls);

 private:
  // Says what the outputs hold by then.
  absl::StatusOr<JudgedCall> Prepare(int place, int slot);
  // Asks the solution's process for one call; `turns` where it is watched.
  absl::StatusOr<RunnerOutcome> Request(int slot, Watching watching,
                                        std::vector<absl::Duration>& turns);
  std::optional<BrokenRule> CheckAnswer(const RunnerOutcome& outcome,
                                        const TimedCall& call) const;
  // Nothing when outputs and guards are as they should be.
  std::optional<End> CheckMemory(const JudgedCall& judged,
                                 Evaluator& evaluator);

  Device& device_;
  const ResolvedCase& sizes_;
  const CaseMemory& memory_;
  const EvaluationSettings& settings_;
  const measure::Key pattern_key_;
  Evaluator& evaluator_;
  SolutionProcess& solution_;
  std::vector<PatternRegion> guards_;
  // Numbers of patterns are never used twice.
  uint32_t next_pattern_ = 0;
  int last_place_ = 0;
  absl::Duration run_time_left_;
  bool requires_device_work_ = false;
};

}  // namespace assay

#endif  // ASSAY_WORKER_EVALUATE_CHECKED_CALLS_H_
