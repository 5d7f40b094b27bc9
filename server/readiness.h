// Whether the coordinator can take work, as against being alive: it is ready as
// long as its store takes writes.

#ifndef ASSAY_SERVER_READINESS_H_
#define ASSAY_SERVER_READINESS_H_

#include <functional>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "base/clock.h"

namespace assay {

// Thread-safe.
class Readiness {
 public:
  // Pause between two trial writes.
  static constexpr absl::Duration kProbeInterval = absl::Seconds(5);
  // A trial write that takes longer means that the store is stuck.
  static constexpr absl::Duration kProbePatience = absl::Seconds(10);

  using Done = std::function<void(const absl::Status&)>;
  // Writes something to the store and calls `done` once, on any thread.
  using Probe = std::function<void(Done done)>;

  // It is ready until it is found not to be. `probe` must be callable as long
  // as Tick is called; this outlives its `done`.
  Readiness(Clock& clock, Probe probe)
      : clock_(clock),
        probe_(std::move(probe)),
        next_probe_(clock.Monotonic() + kProbeInterval) {}

  // Starts the trial write that is due.
  void Tick();

  // UNAVAILABLE says why not.
  absl::Status Check() const;

 private:
  void OnProbed(const absl::Status& status);

  Clock& clock_;
  const Probe probe_;
  mutable absl::Mutex mutex_;
  absl::Duration next_probe_ ABSL_GUARDED_BY(mutex_);
  bool is_probing_ ABSL_GUARDED_BY(mutex_) = false;
  absl::Duration probe_start_ ABSL_GUARDED_BY(mutex_);
  absl::Status last_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace assay

#endif  // ASSAY_SERVER_READINESS_H_
