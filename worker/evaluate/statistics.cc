#include "worker/evaluate/statistics.h"

#include <algorithm>
#include <cstddef>

namespace assay {
namespace {

constexpr double kNanosecondsPerMillisecond = 1e6;

double QuantileMs(const std::vector<int64_t>& sorted_ns, double quantile) {
  const double position = quantile * static_cast<double>(sorted_ns.size() - 1);
  const size_t below = static_cast<size_t>(position);
  const size_t above = std::min(below + 1, sorted_ns.size() - 1);
  const double share = position - static_cast<double>(below);
  const double value = static_cast<double>(sorted_ns[below]) * (1 - share) +
                       static_cast<double>(sorted_ns[above]) * share;
  return value / kNanosecondsPerMillisecond;
}

}  // namespace

LatencySummary Summarize(std::vector<int64_t> samples_ns) {
  if (samples_ns.empty()) return {};
  std::sort(samples_ns.begin(), samples_ns.end());
  return {QuantileMs(samples_ns, 0.5), QuantileMs(samples_ns, 0.1),
          QuantileMs(samples_ns, 0.9)};
}

absl::Duration Median(std::vector<absl::Duration> durations) {
  if (durations.empty()) return absl::ZeroDuration();
  const auto middle =
      durations.begin() + static_cast<ptrdiff_t>(durations.size() / 2);
  std::nth_element(durations.begin(), middle, durations.end());
  return *middle;
}

}  // namespace assay
