#include "worker/runner/restart_limit.h"

namespace assay {

bool RestartLimit::Allow() {
  const absl::Duration now = clock_.Monotonic();
  while (!restarts_.empty() && now - restarts_.front() >= window_) {
    restarts_.pop_front();
  }
  if (static_cast<int>(restarts_.size()) >= max_restarts_) return false;
  restarts_.push_back(now);
  return true;
}

}  // namespace assay
