// Time, injected so that tests decide what it is.

#ifndef ASSAY_BASE_CLOCK_H_
#define ASSAY_BASE_CLOCK_H_

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"

namespace assay {

// Thread-safe.
class Clock {
 public:
  virtual ~Clock() = default;

  // Wall-clock time, for records that people read. May jump.
  virtual absl::Time Now() const = 0;

  // Time since some fixed point, for deadlines. Never goes back.
  virtual absl::Duration Monotonic() const = 0;

  // The machine's clocks. Lives forever.
  static Clock& Real();
};

// A clock that stands still until told otherwise. Thread-safe.
class FakeClock final : public Clock {
 public:
  absl::Time Now() const override;
  absl::Duration Monotonic() const override;

  // Moves both clocks forward.
  void Advance(absl::Duration step);

 private:
  mutable absl::Mutex mutex_;
  // 2026-01-01T00:00:00Z plus what was advanced.
  absl::Duration elapsed_ ABSL_GUARDED_BY(mutex_) = absl::ZeroDuration();
};

}  // namespace assay

#endif  // ASSAY_BASE_CLOCK_H_
