// A call can be finished by its work, by its client's cancellation and by
// shutdown; gRPC aborts the process when two of them do, and may free the call
// under an operation that is started after one of them.

#ifndef ASSAY_SERVER_RPC_FINISH_ONCE_H_
#define ASSAY_SERVER_RPC_FINISH_ONCE_H_

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"

namespace assay {

// Thread-safe.
class FinishOnce {
 public:
  // True for the first caller, who finishes the call. The others must not
  // touch the response or the reactor any more.
  bool Claim() {
    absl::MutexLock lock(&mutex_);
    if (claimed_) return false;
    claimed_ = true;
    return true;
  }

  bool claimed() const {
    absl::MutexLock lock(&mutex_);
    return claimed_;
  }

  // Runs `start`, which starts an operation of the reactor, unless the call is
  // finished. gRPC never calls back from within.
  template <typename Start>
  void IfOpen(Start start) {
    absl::MutexLock lock(&mutex_);
    if (!claimed_) start();
  }

 private:
  mutable absl::Mutex mutex_;
  bool claimed_ ABSL_GUARDED_BY(mutex_) = false;
};

}  // namespace assay

#endif  // ASSAY_SERVER_RPC_FINISH_ONCE_H_
