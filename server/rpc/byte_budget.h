// Bounds the memory of requests that wait for the store: their number alone
// does not, when each may have megabytes of sources.

#ifndef ASSAY_SERVER_RPC_BYTE_BUDGET_H_
#define ASSAY_SERVER_RPC_BYTE_BUDGET_H_

#include <cstddef>
#include <memory>

#include "absl/base/thread_annotations.h"
#include "absl/strings/string_view.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"

namespace assay {

// Of one service: all requests that are being carried out, together.
inline constexpr size_t kMaxRequestBytes = size_t{128} << 20;
inline constexpr absl::string_view kBusy =
    "the coordinator has as many large requests to carry out as it can hold";
inline constexpr absl::Duration kBusyDelay = absl::Milliseconds(500);

// Outlives what was taken from it. Thread-safe.
class ByteBudget {
 public:
  // Gives the bytes back when the last copy goes.
  using Share = std::shared_ptr<const void>;

  explicit ByteBudget(size_t bytes) : left_(bytes) {}

  // Null when there are not that many left.
  Share Take(size_t bytes) {
    absl::MutexLock lock(&mutex_);
    if (bytes > left_) return nullptr;
    left_ -= bytes;
    return Share(this, [this, bytes](const void*) { Return(bytes); });
  }

 private:
  void Return(size_t bytes) {
    absl::MutexLock lock(&mutex_);
    left_ += bytes;
  }

  absl::Mutex mutex_;
  size_t left_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace assay

#endif  // ASSAY_SERVER_RPC_BYTE_BUDGET_H_
