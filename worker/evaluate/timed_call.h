// What is known of one call of a solution.

#ifndef ASSAY_WORKER_EVALUATE_TIMED_CALL_H_
#define ASSAY_WORKER_EVALUATE_TIMED_CALL_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/time/time.h"

namespace assay {

struct TimedCall {
  // What its process claims; see worker::Ran.
  int64_t call_ns = 0;
  int64_t host_ns = 0;
  int64_t outside_ns = 0;
  // What the worker saw: from the request to the answer, and how long the
  // device took right after it to do next to nothing.
  absl::Duration elapsed;
  absl::Duration time_to_idle;
  // Where the device was watched: see DeviceWatch.
  std::vector<absl::Duration> turns;
};

// A rule that the solution broke, which fails it: a word for
// v1::Finding::rule, and what was seen.
struct BrokenRule {
  std::string rule;
  std::string evidence;
};

// The calls with the shorter `call_ns`, in that order: half of them, and one
// more of an odd number. A median can only be forged by forging these.
std::vector<TimedCall> FasterHalf(std::vector<TimedCall> calls);

}  // namespace assay

#endif  // ASSAY_WORKER_EVALUATE_TIMED_CALL_H_
