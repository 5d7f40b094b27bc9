// Durations of many calls, and what is said about them.
//
//   Latencies latencies;
//   latencies.Add(absl::Now() - begin);
//   Print(latencies.Percentile(0.99));

#ifndef ASSAY_TESTS_LOAD_LATENCIES_H_
#define ASSAY_TESTS_LOAD_LATENCIES_H_

#include <cstdint>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"

namespace assay::load {

// Keeps every duration: no bucket hides a tail. Thread-safe.
class Latencies {
 public:
  void Add(absl::Duration latency);
  int64_t count() const;
  // The smallest duration that at least `share` of all, 0 to 1, do not exceed;
  // zero when there are none.
  absl::Duration Percentile(double share) const;

 private:
  mutable absl::Mutex mutex_;
  std::vector<absl::Duration> values_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace assay::load

#endif  // ASSAY_TESTS_LOAD_LATENCIES_H_
