#include "server/lease/presence.h"

#include <utility>

#include "base/status_macros.h"

namespace assay {

void Presence::Touch(absl::string_view worker_id) {
  const Seen now{clock_.Monotonic(), clock_.Now()};
  absl::MutexLock lock(&mutex_);
  seen_.insert_or_assign(worker_id, now);
}

bool Presence::IsLive(absl::string_view worker_id) const {
  const absl::Duration now = clock_.Monotonic();
  absl::MutexLock lock(&mutex_);
  const auto it = seen_.find(worker_id);
  return it != seen_.end() && now - it->second.monotonic < ttl_;
}

void Presence::Complete(v1::WorkerRecord& record) const {
  const bool live = IsLive(record.worker_id());
  record.set_state(!live                       ? v1::WorkerRecord::LOST
                   : record.lease_id().empty() ? v1::WorkerRecord::IDLE
                                               : v1::WorkerRecord::BUSY);
  absl::MutexLock lock(&mutex_);
  const auto it = seen_.find(record.worker_id());
  record.set_last_seen_time_us(it == seen_.end()
                                   ? record.register_time_us()
                                   : absl::ToUnixMicros(it->second.wall));
}

absl::StatusOr<std::vector<KnownWorker>> Presence::LiveWorkers(
    Session& session) const {
  ASSAY_ASSIGN_OR_RETURN(std::vector<WorkerRow> rows, session.workers().All());
  std::vector<KnownWorker> live;
  for (WorkerRow& row : rows) {
    if (!IsLive(row.record.worker_id())) continue;
    live.push_back(
        {row.record.worker_id(), std::move(*row.record.mutable_device())});
  }
  return live;
}

}  // namespace assay
