#include "server/lease/parking.h"

namespace assay {

int64_t Parking::generation() const {
  absl::MutexLock lock(&mutex_);
  return generation_;
}

bool Parking::Park(std::shared_ptr<Waiter> waiter, int64_t generation,
                   absl::Duration deadline) {
  absl::MutexLock lock(&mutex_);
  if (generation != generation_) return false;
  const Waiter* key = waiter.get();
  waiters_.insert_or_assign(key, Entry{std::move(waiter), deadline});
  return true;
}

void Parking::Remove(const Waiter* waiter) {
  // Destroyed after the lock is gone: the last reference may be this one.
  Entry entry;
  absl::MutexLock lock(&mutex_);
  const auto it = waiters_.find(waiter);
  if (it == waiters_.end()) return;
  entry = std::move(it->second);
  waiters_.erase(it);
}

void Parking::WakeAll() {
  absl::flat_hash_map<const Waiter*, Entry> woken;
  {
    absl::MutexLock lock(&mutex_);
    ++generation_;
    woken.swap(waiters_);
  }
  for (const auto& [key, entry] : woken) entry.waiter->OnJobs();
}

void Parking::WakeDue(absl::Duration now) {
  std::vector<std::shared_ptr<Waiter>> due;
  {
    absl::MutexLock lock(&mutex_);
    for (auto it = waiters_.begin(); it != waiters_.end();) {
      const auto current = it++;
      if (current->second.deadline > now) continue;
      due.push_back(std::move(current->second.waiter));
      waiters_.erase(current);
    }
  }
  for (const std::shared_ptr<Waiter>& waiter : due) waiter->OnTimeout();
}

size_t Parking::size() const {
  absl::MutexLock lock(&mutex_);
  return waiters_.size();
}

}  // namespace assay
