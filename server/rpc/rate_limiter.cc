#include "server/rpc/rate_limiter.h"

#include <algorithm>

namespace assay {

absl::Duration RateLimiter::Take(const std::string& key, const Rate& rate,
                                 double amount, absl::Duration now) {
  absl::MutexLock lock(&mutex_);
  const auto [found, is_new] = buckets_.try_emplace(key);
  Bucket& bucket = found->second;
  if (is_new) bucket = {rate.burst, now};
  const double elapsed = absl::ToDoubleSeconds(now - bucket.time);
  bucket.level = std::min(rate.burst, bucket.level + elapsed * rate.per_second);
  bucket.time = now;
  // What is larger than the bucket needs a full one.
  const double missing = std::min(amount, rate.burst) - bucket.level;
  if (missing > 0) return absl::Seconds(missing / rate.per_second);
  bucket.level -= amount;
  return absl::ZeroDuration();
}

}  // namespace assay
