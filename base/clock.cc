#include "base/clock.h"

#include <ctime>

namespace assay {
namespace {

class RealClock final : public Clock {
 public:
  absl::Time Now() const override { return absl::Now(); }
  absl::Duration Monotonic() const override {
    timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return absl::DurationFromTimespec(now);
  }
};

constexpr int64_t kFakeStartUnixSeconds = 1767225600;  // 2026-01-01T00:00:00Z

}  // namespace

Clock& Clock::Real() {
  static RealClock& clock = *new RealClock;
  return clock;
}

absl::Time FakeClock::Now() const {
  absl::MutexLock lock(&mutex_);
  return absl::FromUnixSeconds(kFakeStartUnixSeconds) + elapsed_;
}

absl::Duration FakeClock::Monotonic() const {
  absl::MutexLock lock(&mutex_);
  return elapsed_;
}

void FakeClock::Advance(absl::Duration step) {
  absl::MutexLock lock(&mutex_);
  elapsed_ += step;
}

}  // namespace assay
