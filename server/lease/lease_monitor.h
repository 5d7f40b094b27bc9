// Which leases are alive, and the streams that carry them. Deadlines are kept
// in memory, on the monotonic clock: a heartbeat costs no write, and after a
// restart every lease has a whole ttl to be resumed.

#ifndef ASSAY_SERVER_LEASE_LEASE_MONITOR_H_
#define ASSAY_SERVER_LEASE_LEASE_MONITOR_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/strings/string_view.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "base/clock.h"
#include "server/store/effects.h"

namespace assay {

// Thread-safe.
class LeaseMonitor {
 public:
  // A stream of RunLease. Called without a lock; must not block.
  class Stream {
   public:
    virtual ~Stream() = default;
    virtual void OnCancelled(const std::string& job_id) = 0;
    virtual void OnLost() = 0;
    virtual void OnDrained() = 0;
  };

  // A job that a worker was told to stop.
  struct Cancelled {
    std::string lease_id;
    std::string job_id;
  };

  // How long a worker may take to stop a job.
  static constexpr absl::Duration kStopTime = absl::Seconds(60);

  LeaseMonitor(Clock& clock, absl::Duration ttl,
               absl::Duration stop_time = kStopTime)
      : clock_(clock), ttl_(ttl), stop_time_(stop_time) {}

  // The lease is alive from now on, for a ttl.
  void Start(const std::string& lease_id);
  // The lease was heard of. False when it is not alive.
  bool Touch(absl::string_view lease_id);
  // The lease is over.
  void Forget(absl::string_view lease_id);
  // Leases that are alive.
  size_t size() const;
  // The leases that have been silent for a ttl; they are forgotten.
  std::vector<std::string> TakeExpired();

  // Tells the stream of what happens to the lease, until it is gone.
  void Attach(const std::string& lease_id, std::weak_ptr<Stream> stream);
  void Detach(absl::string_view lease_id, const Stream* stream);

  void Cancel(const std::vector<CancelledJob>& jobs);
  void Drain(const std::string& lease_id);
  // The worker was told to stop the job, and has the time for that from now on;
  // that it was told before does not count.
  void NoteTold(absl::string_view lease_id, const std::string& job_id);
  // It has.
  void NoteStopped(absl::string_view lease_id, const std::string& job_id);
  // Jobs that were not stopped in time; they are forgotten.
  std::vector<Cancelled> TakeUnstopped();
  void Lose(const std::string& lease_id);

 private:
  std::vector<std::shared_ptr<Stream>> StreamsOf(const std::string& lease_id);

  Clock& clock_;
  const absl::Duration ttl_;
  const absl::Duration stop_time_;
  mutable absl::Mutex mutex_;
  absl::flat_hash_map<std::string, absl::Duration> deadlines_
      ABSL_GUARDED_BY(mutex_);
  absl::flat_hash_map<std::string, std::vector<std::weak_ptr<Stream>>> streams_
      ABSL_GUARDED_BY(mutex_);
  // Until when they are to be stopped: of each lease by job.
  absl::flat_hash_map<std::string,
                      absl::flat_hash_map<std::string, absl::Duration>>
      stops_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace assay

#endif  // ASSAY_SERVER_LEASE_LEASE_MONITOR_H_
