// Who is alive. Kept in memory: a heartbeat costs no write.

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
  bool IsLive(absl::string_view worker_id) const;
  // Fills in state and last_seen_time_us.
  void Complete(v1::WorkerRecord& record) const;

  // The workers of the store that are alive.
  absl::StatusOr<std::vector<KnownWorker>> LiveWorkers(Session& session) const;

 private:
  struct Seen {
    absl::Duration monotonic;
    absl::Time wall;
  };

  Clock& clock_;
  const absl::Duration ttl_;
  mutable absl::Mutex mutex_;
  absl::flat_hash_map<std::string, Seen> seen_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace assay

#endif  // ASSAY_SERVER_LEASE_PRESENCE_H_
