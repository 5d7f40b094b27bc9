// Whether something that keeps dying is worth another start.

#ifndef ASSAY_WORKER_RUNNER_RESTART_LIMIT_H_
#define ASSAY_WORKER_RUNNER_RESTART_LIMIT_H_

#include <deque>

#include "absl/time/time.h"
#include "base/clock.h"

namespace assay {

// Counts within a window of time: a process that dies now and then in its long
// life is started again each time. Thread-compatible.
class RestartLimit {
 public:
  // At most `max_restarts` within any `window`. `clock` must outlive this.
  RestartLimit(int max_restarts, absl::Duration window, const Clock& clock)
      : max_restarts_(max_restarts), window_(window), clock_(clock) {}

  // Counts a restart now, or says that there may be none.
  bool Allow();

 private:
  const int max_restarts_;
  const absl::Duration window_;
  const Clock& clock_;
  // When the latest ones were, oldest first.
  std::deque<absl::Duration> restarts_;
};

}  // namespace assay

#endif  // ASSAY_WORKER_RUNNER_RESTART_LIMIT_H_
