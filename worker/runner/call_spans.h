// From what CUPTI recorded to how long each call had the GPU work.

#ifndef ASSAY_WORKER_RUNNER_CALL_SPANS_H_
#define ASSAY_WORKER_RUNNER_CALL_SPANS_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "worker/cuda/cupti.h"

namespace assay {

// For each of `calls` calls, the nanoseconds from the first start to the last
// end of what ran for it, on all streams; 0 when nothing did.
//
// Work on the stream `markers` marks the calls on the GPU's own clock:
// one activity right before each call and one after it, both alone on the GPU.
// What starts between the two is the call's. What starts elsewhere is not
// counted: it prepares a call, or copies what one returned.
//
// FAILED_PRECONDITION when work had not ended though the calls had, and the GPU
// was synchronized: it went around that, as in a context of its own. INTERNAL
// when the activities do not have that form.
absl::StatusOr<std::vector<int64_t>> SpansOfCalls(
    std::vector<DeviceActivity> activities, CuptiStream markers, size_t calls);

}  // namespace assay

#endif  // ASSAY_WORKER_RUNNER_CALL_SPANS_H_
