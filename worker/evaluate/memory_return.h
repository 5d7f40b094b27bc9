// Waits for memory of the device that ended processes are still giving back.

#ifndef ASSAY_WORKER_EVALUATE_MEMORY_RETURN_H_
#define ASSAY_WORKER_EVALUATE_MEMORY_RETURN_H_

#include "absl/status/status.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "base/clock.h"

namespace assay {

// How long the memory of a process that was ended may take to be free.
inline constexpr absl::Duration kMemoryReturnTime = absl::Seconds(5);

// Calls `attempt`, which returns a Status, until it gives something else than
// RESOURCE_EXHAUSTED or that time has passed; returns what it gave last.
template <typename Attempt>
absl::Status RetryWhileExhausted(const Clock& clock, const Attempt& attempt) {
  const absl::Duration begin = clock.Monotonic();
  while (true) {
    absl::Status status = attempt();
    if (!absl::IsResourceExhausted(status) ||
        clock.Monotonic() - begin >= kMemoryReturnTime) {
      return status;
    }
    absl::SleepFor(absl::Milliseconds(100));
  }
}

}  // namespace assay

#endif  // ASSAY_WORKER_EVALUATE_MEMORY_RETURN_H_
