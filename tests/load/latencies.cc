#include "tests/load/latencies.h"

#include <algorithm>
#include <cmath>

namespace assay::load {

void Latencies::Add(absl::Duration latency) {
  absl::MutexLock lock(&mutex_);
  values_.push_back(latency);
}

int64_t Latencies::count() const {
  absl::MutexLock lock(&mutex_);
  return static_cast<int64_t>(values_.size());
}

absl::Duration Latencies::Percentile(double share) const {
  std::vector<absl::Duration> values;
  {
    absl::MutexLock lock(&mutex_);
    values = values_;
  }
  if (values.empty()) return absl::ZeroDuration();
  const double rank = std::ceil(share * static_cast<double>(values.size()));
  const size_t index =
      std::clamp<size_t>(static_cast<size_t>(rank), 1, values.size()) - 1;
  const auto at = values.begin() + static_cast<int64_t>(index);
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

}  // namespace assay::load
