// The worker's own clock against the times that a solution's process claims.
//
// A request takes longer than the call in it: waking the process, flushing,
// answering. How much longer on this machine at this time, a process shows that
// has nothing to gain, the reference's, with requests that call nothing, made
// between the calls. What a call takes beyond that and its claim, nobody
// accounts for. The best of either are compared: what noise adds to others says
// nothing.

#ifndef ASSAY_WORKER_EVALUATE_OUTSIDE_CLOCK_H_
#define ASSAY_WORKER_EVALUATE_OUTSIDE_CLOCK_H_

#include <optional>
#include <vector>

#include "absl/time/time.h"
#include "worker/evaluate/timed_call.h"

namespace assay {

// What a call that does nothing costs.
struct CallOverhead {
  // The least that a request takes beyond its claim.
  absl::Duration least;
  // Median of what the device then takes to do next to nothing.
  absl::Duration time_to_idle;
};

// Of calls that did nothing.
CallOverhead OverheadOf(const std::vector<TimedCall>& calls);

// What an honest call may take besides.
struct OutsideAllowance {
  // A share of what it claims.
  double share = 0.1;
  // E.g. for outputs that are copied after the clock has stopped.
  absl::Duration fixed;
  // Where calls come back to back they wait longer for memory: outputs of
  // earlier ones leave the caches, and inputs were delivered a while ago.
  absl::Duration memory;
};

inline constexpr char kTimeUnaccounted[] = "time_unaccounted";

// Rule kTimeUnaccounted: each of the faster half of the calls took longer
// than its claim, the overhead and the allowance explain. Noise makes single
// calls late; one that is not shows that the claims may be true. So it matters
// not how noisy the machine is, as long as it is quiet for one call of many.
std::optional<BrokenRule> JudgeOutsideClock(const std::vector<TimedCall>& calls,
                                            const CallOverhead& overhead,
                                            const OutsideAllowance& allowance);

}  // namespace assay

#endif  // ASSAY_WORKER_EVALUATE_OUTSIDE_CLOCK_H_
