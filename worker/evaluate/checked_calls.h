// Calls a solution, in batches, and checks each call: its outputs, poisoned
// before it, are compared with what is expected, and the memory around them
// must be as it was. There is one kind of call; nothing tells a solution which
// of them count.

#ifndef ASSAY_WORKER_EVALUATE_CHECKED_CALLS_H_
#define ASSAY_WORKER_EVALUATE_CHECKED_CALLS_H_

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "kernels/measure/philox.h"
#include "schema/shape.h"
#include "worker/device/device.h"
#include "worker/evaluate/case_memory.h"
#include "worker/evaluate/output_check.h"
#include "worker/evaluate/settings.h"
#include "worker/evaluate/solution_process.h"
#include "worker/evaluate/verdict.h"

namespace assay {

// A rule that the solution broke, which fails it: a word for
// v1::Finding::rule, and what was seen.
struct BrokenRule {
  std::string rule;
  std::string evidence;
};

// Times of calls, in order, in nanoseconds; see worker::Ran.
struct CallTimes {
  std::vector<int64_t> call_ns;
  std::vector<int64_t> host_ns;
  v1::DeviceState device_state;
  // Of the run_timeout, what they took.
  absl::Duration elapsed;
};

class CheckedCalls {
 public:
  // How calls ended: well, or with what there is to say about the solution, or
  // with a fault of this worker.
  using End = std::variant<std::monostate, Verdict, BrokenRule, absl::Status>;

  // All references outlive it.
  CheckedCalls(Device& device, const ResolvedCase& sizes,
               const CaseMemory& memory, const EvaluationSettings& settings,
               const measure::Key& pattern_key, OutputCheck& check,
               SolutionProcess& solution);

  // Each call must make the device work: a time of 0 is a broken rule.
  void RequireDeviceWork() { requires_device_work_ = true; }

  // Puts patterns into the guard bands; comes first.
  absl::Status PoisonGuards();

  // Makes `count` calls on draws in an order that nobody can foretell. Their
  // times are added to `times` if given. All calls of an evaluation together
  // have the settings' run_timeout.
  End Make(int count, CallTimes* times);

  // The calls were not the solution's affair: it gets their time back.
  void Discard(const CallTimes& times) { run_time_left_ += times.elapsed; }

 private:
  End MakeBatch(const std::vector<int>& draws, CallTimes* times);
  absl::Status PoisonOutputs(size_t slots);
  End CheckTimes(const RunnerOutcome& outcome) const;
  End CheckOutputs(const std::vector<int>& draws);
  End CheckGuards();
  void ReadState(CallTimes* times);

  Device& device_;
  const ResolvedCase& sizes_;
  const CaseMemory& memory_;
  const EvaluationSettings& settings_;
  const measure::Key pattern_key_;
  OutputCheck& check_;
  SolutionProcess& solution_;
  std::vector<PatternRegion> guards_;
  // Numbers of patterns are never used twice.
  uint32_t next_pattern_ = 0;
  absl::Duration run_time_left_;
  bool requires_device_work_ = false;
};

}  // namespace assay

#endif  // ASSAY_WORKER_EVALUATE_CHECKED_CALLS_H_
