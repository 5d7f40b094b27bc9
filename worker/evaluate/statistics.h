// Order statistics of measured samples.

#ifndef ASSAY_WORKER_EVALUATE_STATISTICS_H_
#define ASSAY_WORKER_EVALUATE_STATISTICS_H_

#include <cstdint>
#include <vector>

#include "absl/time/time.h"

namespace assay {

// Milliseconds.
struct LatencySummary {
  double median = 0;
  double p10 = 0;
  double p90 = 0;
};

// Of samples in nanoseconds, in any order. Quantiles between two samples are
// interpolated linearly. All zero when there are none.
LatencySummary Summarize(std::vector<int64_t> samples_ns);

// Of two in the middle the greater one; zero of none.
absl::Duration Median(std::vector<absl::Duration> durations);

}  // namespace assay

#endif  // ASSAY_WORKER_EVALUATE_STATISTICS_H_
