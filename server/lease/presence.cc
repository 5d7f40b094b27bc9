#include "server/lease/presence.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"

namespace assay {
namespace {

// What a worker surely still has.
constexpr size_t kRemembered = 8;

void Remember(const std::string& name, std::vector<std::string>& names) {
  names.erase(std::remove(names.begin(), names.end(), name), names.end());
  names.push_back(name);
  if (names.size() > kRemembered) names.erase(names.begin());
}

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

void Presence::NoteClass(absl::string_view worker_id,
                         absl::string_view device_class) {
  absl::MutexLock lock(&mutex_);
  seen_[worker_id].device_class = std::string(device_class);
}

void Presence::NoteLease(absl::string_view worker_id,
                         const std::string& definition,
                         const std::string& solution_digest, bool preferred) {
  absl::MutexLock lock(&mutex_);
  WorkerHistory& history = seen_[worker_id].history;
  history.preferred = preferred ? history.preferred + 1 : 0;
  Remember(definition, history.definitions);
  Remember(solution_digest, history.solution_digests);
}

WorkerHistory Presence::HistoryOf(absl::string_view worker_id) const {
  absl::MutexLock lock(&mutex_);
  const auto it = seen_.find(worker_id);
  return it == seen_.end() ? WorkerHistory() : it->second.history;
}

int64_t Presence::CountLive(absl::string_view device_class) const {
  const absl::Duration now = clock_.Monotonic();
  absl::MutexLock lock(&mutex_);
  return std::count_if(seen_.begin(), seen_.end(), [&](const auto& entry) {
    const Seen& seen = entry.second;
    return seen.device_class == device_class && seen.unwell_reason.empty() &&
           now - seen.monotonic < ttl_;
  });
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
