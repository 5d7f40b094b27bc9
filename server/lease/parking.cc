#include "server/lease/parking.h"

namespace assay {

int64_t Parking::generation() const {
  absl::MutexLock lock(&mutex_);
  return generation_;
}

bool Parking::Park(std::shared_ptr<Waiter> waiter, int64_t generation,
                   absl::Duration deadline, absl::string_view device_class) {
  absl::MutexLock lock(&mutex_);
  if (generation != generation_) return false;
  const Waiter* key = waiter.get();
  Line& line = lines_[device_class];
  line.push_back({std::move(waiter), deadline});
  places_.insert_or_assign(
      key, Place{std::string(device_class), std::prev(line.end())});
  return true;
}

void Parking::Remove(const Waiter* waiter) {
  // Destroyed after the lock is gone: the last reference may be this one.
  std::shared_ptr<Waiter> last;
  absl::MutexLock lock(&mutex_);
  const auto it = places_.find(waiter);
  if (it == places_.end()) return;
  last = std::move(it->second.entry->waiter);
  lines_[it->second.device_class].erase(it->second.entry);
  places_.erase(it);
}

std::shared_ptr<Parking::Waiter> Parking::TakeFirst(Line& line) {
  std::shared_ptr<Waiter> first = std::move(line.front().waiter);
  line.pop_front();
  places_.erase(first.get());
  return first;
}

void Parking::Wake() {
  std::vector<std::shared_ptr<Waiter>> woken;
  {
    absl::MutexLock lock(&mutex_);
    ++generation_;
    for (auto& [device_class, line] : lines_) {
      if (!line.empty()) woken.push_back(TakeFirst(line));
    }
  }
  for (const std::shared_ptr<Waiter>& waiter : woken) waiter->OnJobs();
}

void Parking::WakeNext(absl::string_view device_class, int count) {
  std::vector<std::shared_ptr<Waiter>> woken;
  {
    absl::MutexLock lock(&mutex_);
    const auto line = lines_.find(device_class);
    if (line == lines_.end()) return;
    for (; count > 0 && !line->second.empty(); --count) {
      woken.push_back(TakeFirst(line->second));
    }
  }
  for (const std::shared_ptr<Waiter>& waiter : woken) waiter->OnJobs();
}

void Parking::WakeAll() {
  std::vector<std::shared_ptr<Waiter>> woken;
  {
    absl::MutexLock lock(&mutex_);
    ++generation_;
    for (auto& [device_class, line] : lines_) {
      while (!line.empty()) woken.push_back(TakeFirst(line));
    }
  }
  for (const std::shared_ptr<Waiter>& waiter : woken) waiter->OnJobs();
}

void Parking::WakeDue(absl::Duration now) {
  std::vector<std::shared_ptr<Waiter>> due;
  {
    absl::MutexLock lock(&mutex_);
    for (auto& [device_class, line] : lines_) {
      for (auto it = line.begin(); it != line.end();) {
        const auto current = it++;
        if (current->deadline > now) continue;
        places_.erase(current->waiter.get());
        due.push_back(std::move(current->waiter));
        line.erase(current);
      }
    }
  }
  for (const std::shared_ptr<Waiter>& waiter : due) waiter->OnTimeout();
}

size_t Parking::size() const {
  absl::MutexLock lock(&mutex_);
  return places_.size();
}

}  // namespace assay
