// Workers that wait for jobs.
//
// A worker that found nothing parks with the generation that it read before it
// looked; jobs queued in between have raised the generation, and it looks
// again instead of sleeping through them.

#ifndef ASSAY_SERVER_LEASE_PARKING_H_
#define ASSAY_SERVER_LEASE_PARKING_H_

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"

namespace assay {

// Thread-safe.
class Parking {
 public:
  class Waiter {
   public:
    virtual ~Waiter() = default;
    // There may be jobs now.
    virtual void OnJobs() = 0;
    // It has waited long enough.
    virtual void OnTimeout() = 0;
  };

  int64_t generation() const;

  // False: jobs were queued since `generation`; look again.
  bool Park(std::shared_ptr<Waiter> waiter, int64_t generation,
            absl::Duration deadline);
  // The waiter does not wait any more; fine when it did not.
  void Remove(const Waiter* waiter);

  // Wakes all. Each is woken once.
  void WakeAll();
  // Ends the wait of those whose deadline, on the monotonic clock, has passed.
  void WakeDue(absl::Duration now);

  size_t size() const;

 private:
  struct Entry {
    std::shared_ptr<Waiter> waiter;
    absl::Duration deadline;
  };

  mutable absl::Mutex mutex_;
  int64_t generation_ ABSL_GUARDED_BY(mutex_) = 0;
  absl::flat_hash_map<const Waiter*, Entry> waiters_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace assay

#endif  // ASSAY_SERVER_LEASE_PARKING_H_
