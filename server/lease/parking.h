// Workers that wait for jobs.
//
// A worker that found nothing parks with the generation that it read before it
// looked; jobs queued in between have raised the generation, and it looks
// again instead of sleeping through them.
//
// Workers of one device class (see DeviceClass) would all find the same, so new
// jobs wake one of each class. That one wakes the next when it found something:
// a submission costs as many looks as there are classes and leases, not
// workers.

#ifndef ASSAY_SERVER_LEASE_PARKING_H_
#define ASSAY_SERVER_LEASE_PARKING_H_

#include <cstdint>
#include <list>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/strings/string_view.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"

namespace assay {

// Thread-safe.
class Parking {
 public:
  class Waiter {
   public:
    virtual ~Waiter() = default;
    // There may be jobs now. When there are, or when it could not look, it
    // wakes the next of its class.
    virtual void OnJobs() = 0;
    // It has waited long enough.
    virtual void OnTimeout() = 0;
  };

  int64_t generation() const;

  // False: jobs were queued since `generation`; look again.
  bool Park(std::shared_ptr<Waiter> waiter, int64_t generation,
            absl::Duration deadline, absl::string_view device_class);
  // The waiter does not wait any more; fine when it did not.
  void Remove(const Waiter* waiter);

  // Jobs were queued: wakes the one of each class that has waited longest.
  void Wake();
  // Wakes up to `count` more of the class.
  void WakeNext(absl::string_view device_class, int count);
  // What workers may have has changed otherwise. Each is woken once.
  void WakeAll();
  // Ends the wait of those whose deadline, on the monotonic clock, has passed.
  void WakeDue(absl::Duration now);

  size_t size() const;

 private:
  struct Entry {
    std::shared_ptr<Waiter> waiter;
    absl::Duration deadline;
  };
  // Of one class, the longest waiting first.
  using Line = std::list<Entry>;
  struct Place {
    std::string device_class;
    Line::iterator entry;
  };

  // Takes the first of the line out.
  std::shared_ptr<Waiter> TakeFirst(Line& line)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  mutable absl::Mutex mutex_;
  int64_t generation_ ABSL_GUARDED_BY(mutex_) = 0;
  // Lines that are empty stay: there are few classes.
  absl::flat_hash_map<std::string, Line> lines_ ABSL_GUARDED_BY(mutex_);
  absl::flat_hash_map<const Waiter*, Place> places_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace assay

#endif  // ASSAY_SERVER_LEASE_PARKING_H_
