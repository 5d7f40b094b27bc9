#include "server/lease/presence.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"

namespace assay {
namespace {

std::string Unavailable(const v1::WorkerRecord& record) {
  switch (record.state()) {
    case v1::WorkerRecord::QUARANTINED:
      return absl::StrCat("quarantined: ", record.hold_reason());
    case v1::WorkerRecord::DRAINED:
    case v1::WorkerRecord::DRAINING:
      return absl::StrCat("drained: ", record.hold_reason());
    case v1::WorkerRecord::UNWELL:
      return absl::StrCat("unwell: ", record.unwell_reason());
    default:
      return "";
  }
}

}  // namespace

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
  const v1::WorkerRecord::State admission = record.state();
  record.set_state(v1::WorkerRecord::LOST);
  absl::MutexLock lock(&mutex_);
  const auto it = seen_.find(record.worker_id());
  if (it == seen_.end()) return;
  const Seen& seen = it->second;
  record.set_last_seen_time_us(absl::ToUnixMicros(seen.wall));
  if (Silence(record.worker_id()) >= ttl_) return;
  record.set_unwell_reason(seen.unwell_reason);
  const bool has_lease = !record.lease_id().empty();
  if (admission == v1::WorkerRecord::QUARANTINED) {
    record.set_state(admission);
  } else if (admission == v1::WorkerRecord::DRAINED) {
    record.set_state(has_lease ? v1::WorkerRecord::DRAINING : admission);
  } else if (!seen.unwell_reason.empty()) {
    record.set_state(v1::WorkerRecord::UNWELL);
  } else {
    record.set_state(has_lease ? v1::WorkerRecord::BUSY
                               : v1::WorkerRecord::IDLE);
  }
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
                    Unavailable(row.record)});
  }
  return live;
}

}  // namespace assay
