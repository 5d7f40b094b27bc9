// How much of something a token may take, averaged over time: a bucket for each
// that fills at a steady rate and is taken from.
//
//   const absl::Duration wait = limiter.Take(token_id, {10, 100}, 1, now);
//   if (wait > absl::ZeroDuration()) refuse and say for how long;

#ifndef ASSAY_SERVER_RPC_RATE_LIMITER_H_
#define ASSAY_SERVER_RPC_RATE_LIMITER_H_

#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"

namespace assay {

struct Rate {
  double per_second = 0;
  // Most that can be taken at once, after a pause.
  double burst = 0;
};

// Thread-safe.
class RateLimiter {
 public:
  // Takes `amount` and returns zero, or takes nothing and returns for how long
  // to wait. More than a burst is let through when the bucket is full, and has
  // to be waited for afterwards. `now` never goes back.
  absl::Duration Take(const std::string& key, const Rate& rate, double amount,
                      absl::Duration now);

 private:
  struct Bucket {
    double level = 0;
    absl::Duration time;
  };

  absl::Mutex mutex_;
  // One for each token that ever took something: few.
  absl::flat_hash_map<std::string, Bucket> buckets_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace assay

#endif  // ASSAY_SERVER_RPC_RATE_LIMITER_H_
