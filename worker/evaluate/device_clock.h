// The worker's own clock for what a solution has a GPU do, against the times
// that its process claims.
//
// A process times itself with CUPTI or events, which it can forge. While the
// worker watches the device (DeviceWatch) it sees how long others had it, and
// takes off what it costs to change hands and what goes on around a call that
// does nothing.

#ifndef ASSAY_WORKER_EVALUATE_DEVICE_CLOCK_H_
#define ASSAY_WORKER_EVALUATE_DEVICE_CLOCK_H_

#include <optional>
#include <vector>

#include "absl/time/time.h"
#include "worker/evaluate/timed_call.h"

namespace assay {

inline constexpr char kDeviceTimeUnaccounted[] = "device_time_unaccounted";

// How long the device was at work in each of `calls`, by the turns that others
// had, beyond what it was for `pings`, calls that do nothing. Empty when
// nothing was seen of pings, so that nothing can be said.
std::vector<absl::Duration> DeviceTimes(const std::vector<TimedCall>& calls,
                                        const std::vector<TimedCall>& pings);

// Rule kDeviceTimeUnaccounted: in each of `calls` the device was at work for
// longer than `claimed`, an allowance for errors of this clock, and `fixed`
// explain. One call that was not clears the claim.
std::optional<BrokenRule> JudgeDeviceClock(const std::vector<TimedCall>& calls,
                                           const std::vector<TimedCall>& pings,
                                           absl::Duration claimed,
                                           absl::Duration fixed);

}  // namespace assay

#endif  // ASSAY_WORKER_EVALUATE_DEVICE_CLOCK_H_
