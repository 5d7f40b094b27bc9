// Reference latencies measured before, kept on disk: a reference is slow, and
// its time does not change from one solution to the next.

#ifndef ASSAY_WORKER_EVALUATE_LATENCY_CACHE_H_
#define ASSAY_WORKER_EVALUATE_LATENCY_CACHE_H_

#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/strings/string_view.h"
#include "absl/synchronization/mutex.h"
#include "absl/types/optional.h"

namespace assay {

// Thread-safe.
class LatencyCache {
 public:
  // Keeps its entries in `folder`, one small file each; an empty `folder` keeps
  // them in memory only.
  explicit LatencyCache(std::string folder) : folder_(std::move(folder)) {}

  // Milliseconds. `key` is 64 hex digits over all that bears on the time.
  absl::optional<double> Find(const std::string& key);
  // What cannot be written is only remembered.
  void Store(const std::string& key, double latency_ms);

 private:
  std::string PathOf(absl::string_view key) const;

  const std::string folder_;
  absl::Mutex mutex_;
  absl::flat_hash_map<std::string, double> known_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace assay

#endif  // ASSAY_WORKER_EVALUATE_LATENCY_CACHE_H_
