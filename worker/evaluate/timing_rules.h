// What times a solution's process may claim.

#ifndef ASSAY_WORKER_EVALUATE_TIMING_RULES_H_
#define ASSAY_WORKER_EVALUATE_TIMING_RULES_H_

#include <optional>
#include <vector>

#include "absl/time/time.h"
#include "schema/shape.h"
#include "worker/device/device.h"
#include "worker/evaluate/outside_clock.h"
#include "worker/evaluate/timed_call.h"

namespace assay {

// For calls of one solution on one workload.
struct TimingLimits {
  OutsideAllowance allowance;
  // What it takes to write the outputs; no call is faster. At least a
  // nanosecond where a call cannot take none.
  absl::Duration floor;
  // A call that has outputs takes no less than one that calls nothing: both lie
  // between two looks at the same clock.
  bool pings_are_floor = false;
};

// `returns_outputs`: the solution does not write outputs where it is told, but
// returns tensors, perhaps views of its inputs, which are copied afterwards.
TimingLimits LimitsFor(const Device& device, const ResolvedCase& sizes,
                       bool returns_outputs);

// Rule `impossible_times`: the call did not last as long as it is said to have,
// the device was at work for longer than the whole call, or, timed `by_host`
// alone, the call has two different times.
std::optional<BrokenRule> JudgeClaims(const TimedCall& call, bool by_host);

// Rules about calls together: `work_outside_call`, `device_busy_after_call`,
// `below_floor`, `time_unaccounted`. The first one broken. They are for cheats
// that pay, hence about the calls that make the median. `pings` are calls that
// do nothing, by a process that is trusted, made between them.
std::optional<BrokenRule> JudgeTimes(const std::vector<TimedCall>& calls,
                                     const std::vector<TimedCall>& pings,
                                     const TimingLimits& limits);

}  // namespace assay

#endif  // ASSAY_WORKER_EVALUATE_TIMING_RULES_H_
