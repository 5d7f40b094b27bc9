// From what CUPTI recorded to how long each call had the GPU work, and to what
// the GPU did besides.

#ifndef ASSAY_WORKER_RUNNER_CALL_SPANS_H_
#define ASSAY_WORKER_RUNNER_CALL_SPANS_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "worker/cuda/cupti.h"

namespace assay {

struct CallSpan {
  // From the first start to the last end of what ran for the call, on all
  // streams; 0 when nothing did.
  int64_t span_ns = 0;
  // Sum of what ran outside of calls: before this one, and, for the last, after
  // it. All of an activity that began outside, even if it ended in the call.
  int64_t outside_ns = 0;

  friend bool operator==(CallSpan a, CallSpan b) {
    return a.span_ns == b.span_ns && a.outside_ns == b.outside_ns;
  }
};

// The spans of `calls` calls, in order.
//
// Work on the stream `markers` marks the calls on the GPU's own clock:
// one activity right before each call, which has ended when the call is made,
// and one after it. What starts between the two is the call's. What starts
// elsewhere is outside of calls; with `copies_follow` it is not, between the
// end of a call and the next marker: it copies what was returned.
//
// FAILED_PRECONDITION when work had not ended though the calls had, and the GPU
// was synchronized: it went around that, as in a context of its own. INTERNAL
// when the activities do not have that form.
absl::StatusOr<std::vector<CallSpan>> SpansOfCalls(
    std::vector<DeviceActivity> activities, CuptiStream markers, size_t calls,
    bool copies_follow);

}  // namespace assay

#endif  // ASSAY_WORKER_RUNNER_CALL_SPANS_H_
