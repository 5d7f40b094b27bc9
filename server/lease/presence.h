// Who is alive, and who of them is well. Kept in memory: a heartbeat costs no
// write.

#ifndef ASSAY_SERVER_LEASE_PRESENCE_H_
#define ASSAY_SERVER_LEASE_PRESENCE_H_

#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "base/clock.h"
#include "server/scheduler/queue.h"
#include "server/store/session.h"

namespace assay {

// Thread-safe.
class Presence {
 public:
  // A worker that is silent for `ttl` is lost.
  Presence(Clock& clock, absl::Duration ttl) : clock_(clock), ttl_(ttl) {}

  // The worker was heard of.
  void Touch(absl::string_view worker_id);
  // The worker was heard of and said why its device cannot take work; empty
  // when it can. True when it said something else before.
  bool SetUnwell(absl::string_view worker_id, absl::string_view reason);
  // The worker asked for work: what its device is to the scheduler.
  void NoteClass(absl::string_view worker_id, absl::string_view device_class);
  // The worker got a lease on jobs of this; `preferred` as in GroupChoice.
  void NoteLease(absl::string_view worker_id, const std::string& definition,
                 const std::string& solution_digest, bool preferred);
  WorkerHistory HistoryOf(absl::string_view worker_id) const;
  // Workers of the class that are alive and well.
  int64_t CountLive(absl::string_view device_class) const;
  bool IsLive(absl::string_view worker_id) const;
  // True when the worker has missed a report: nothing was heard of it for half
  // a ttl, of which three fit in one.
  bool IsSilent(absl::string_view worker_id) const;
  // Fills in state, last_seen_time_us and unwell_reason; a record that comes as
  // DRAINED or QUARANTINED is that, or DRAINING, while it is heard of.
  void Complete(v1::WorkerRecord& record) const;

  // The workers of the store that are alive, those that take no work too.
  absl::StatusOr<std::vector<KnownWorker>> LiveWorkers(Session& session) const;

 private:
  struct Seen {
    absl::Duration monotonic;
    absl::Time wall;
    // Empty when it is well.
    std::string unwell_reason;
    // Empty when it is not known, or the worker is held back.
    std::string device_class;
    WorkerHistory history;
  };

  // Since the worker was heard of; infinite when it never was.
  absl::Duration Silence(absl::string_view worker_id) const
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  Clock& clock_;
  const absl::Duration ttl_;
  mutable absl::Mutex mutex_;
  absl::flat_hash_map<std::string, Seen> seen_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace assay

#endif  // ASSAY_SERVER_LEASE_PRESENCE_H_
