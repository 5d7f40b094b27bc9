#include "server/lease/presence.h"

#include <utility>

#include "base/status_macros.h"

namespace assay {

void Presence::Touch(absl::string_view worker_id) {
  absl::MutexLock lock(&mutex_);
  Seen& seen = seen_[worker_id];
  seen.monotonic = clock_.Monotonic();
  seen.wall = clock_.Now();
}

bool Presence::SetUnwell(absl::string_view worker_id,
                         absl::string_view reason) {
  Touch(worker_id);
  absl::MutexLock lock(&mutex_);
  std::string& known = seen_[worker_id].unwell_reason;
  if (known == reason) return false;
  known = std::string(reason);
  return true;
}

absl::Duration Presence::Silence(absl::string_view worker_id) const {
  const auto it = seen_.find(worker_id);
  return it == seen_.end() ? absl::InfiniteDuration()
                           : clock_.Monotonic() - it->second.monotonic;
}

bool Presence::IsLive(absl::string_view worker_id) const {
  absl::MutexLock lock(&mutex_);
  return Silence(worker_id) < ttl_;
}

bool Presence::IsSilent(absl::string_view worker_id) const {
  absl::MutexLock lock(&mutex_);
  return Silence(worker_id) >= ttl_ / 2;
}

void Presence::Complete(v1::WorkerRecord& record) const {
  record.set_last_seen_time_us(record.register_time_us());
  record.set_state(v1::WorkerRecord::LOST);
  absl::MutexLock lock(&mutex_);
  const auto it = seen_.find(record.worker_id());
  if (it == seen_.end()) return;
  const Seen& seen = it->second;
  record.set_last_seen_time_us(absl::ToUnixMicros(seen.wall));
  if (Silence(record.worker_id()) >= ttl_) return;
  record.set_unwell_reason(seen.unwell_reason);
  record.set_state(!seen.unwell_reason.empty() ? v1::WorkerRecord::UNWELL
                   : record.lease_id().empty() ? v1::WorkerRecord::IDLE
                                               : v1::WorkerRecord::BUSY);
}

absl::StatusOr<std::vector<KnownWorker>> Presence::LiveWorkers(
    Session& session) const {
  ASSAY_ASSIGN_OR_RETURN(std::vector<WorkerRow> rows, session.workers().All());
  std::vector<KnownWorker> live;
  for (WorkerRow& row : rows) {
    Complete(row.record);
    if (row.record.state() == v1::WorkerRecord::LOST) continue;
    live.push_back({row.record.worker_id(),
                    std::move(*row.record.mutable_device()),
                    row.record.unwell_reason()});
  }
  return live;
}

}  // namespace assay
