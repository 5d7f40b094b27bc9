#include "server/lease/lease_monitor.h"

#include <algorithm>
#include <utility>

namespace assay {

void LeaseMonitor::Start(const std::string& lease_id) {
  const absl::Duration deadline = clock_.Monotonic() + ttl_;
  absl::MutexLock lock(&mutex_);
  deadlines_.insert_or_assign(lease_id, deadline);
}

bool LeaseMonitor::Touch(absl::string_view lease_id) {
  const absl::Duration deadline = clock_.Monotonic() + ttl_;
  absl::MutexLock lock(&mutex_);
  const auto it = deadlines_.find(lease_id);
  if (it == deadlines_.end()) return false;
  it->second = deadline;
  return true;
}

void LeaseMonitor::Forget(absl::string_view lease_id) {
  absl::MutexLock lock(&mutex_);
  deadlines_.erase(lease_id);
  streams_.erase(lease_id);
  stops_.erase(lease_id);
}

size_t LeaseMonitor::size() const {
  absl::MutexLock lock(&mutex_);
  return deadlines_.size();
}

std::vector<std::string> LeaseMonitor::TakeExpired() {
  const absl::Duration now = clock_.Monotonic();
  std::vector<std::string> expired;
  absl::MutexLock lock(&mutex_);
  for (auto it = deadlines_.begin(); it != deadlines_.end();) {
    const auto current = it++;
    if (current->second > now) continue;
    expired.push_back(current->first);
    stops_.erase(current->first);
    deadlines_.erase(current);
  }
  return expired;
}

void LeaseMonitor::Attach(const std::string& lease_id,
                          std::weak_ptr<Stream> stream) {
  absl::MutexLock lock(&mutex_);
  std::vector<std::weak_ptr<Stream>>& streams = streams_[lease_id];
  streams.erase(std::remove_if(streams.begin(), streams.end(),
                               [](const std::weak_ptr<Stream>& other) {
                                 return other.expired();
                               }),
                streams.end());
  streams.push_back(std::move(stream));
}

void LeaseMonitor::Detach(absl::string_view lease_id, const Stream* stream) {
  absl::MutexLock lock(&mutex_);
  const auto it = streams_.find(lease_id);
  if (it == streams_.end()) return;
  std::vector<std::weak_ptr<Stream>>& streams = it->second;
  streams.erase(std::remove_if(streams.begin(), streams.end(),
                               [&](const std::weak_ptr<Stream>& other) {
                                 const auto alive = other.lock();
                                 return alive == nullptr ||
                                        alive.get() == stream;
                               }),
                streams.end());
  if (streams.empty()) streams_.erase(it);
}

void LeaseMonitor::Cancel(const std::vector<CancelledJob>& jobs) {
  for (const CancelledJob& job : jobs) {
    for (const std::shared_ptr<Stream>& stream : StreamsOf(job.lease_id)) {
      stream->OnCancelled(job.job_id);
    }
  }
}

void LeaseMonitor::Drain(const std::string& lease_id) {
  for (const std::shared_ptr<Stream>& stream : StreamsOf(lease_id)) {
    stream->OnDrained();
  }
}

void LeaseMonitor::NoteTold(absl::string_view lease_id,
                            const std::string& job_id) {
  const absl::Duration until = clock_.Monotonic() + stop_time_;
  absl::MutexLock lock(&mutex_);
  // One that is over has nothing to stop.
  if (deadlines_.contains(lease_id))
    stops_[lease_id].insert_or_assign(job_id, until);
}

void LeaseMonitor::NoteStopped(absl::string_view lease_id,
                               const std::string& job_id) {
  absl::MutexLock lock(&mutex_);
  const auto it = stops_.find(lease_id);
  if (it == stops_.end()) return;
  it->second.erase(job_id);
  if (it->second.empty()) stops_.erase(it);
}

std::vector<LeaseMonitor::Cancelled> LeaseMonitor::TakeUnstopped() {
  const absl::Duration now = clock_.Monotonic();
  std::vector<Cancelled> unstopped;
  absl::MutexLock lock(&mutex_);
  for (auto lease = stops_.begin(); lease != stops_.end();) {
    const auto current = lease++;
    for (const auto& [job_id, until] : current->second) {
      if (until > now) continue;
      unstopped.push_back({current->first, job_id});
    }
    if (!unstopped.empty() && unstopped.back().lease_id == current->first) {
      stops_.erase(current);
    }
  }
  return unstopped;
}

void LeaseMonitor::Lose(const std::string& lease_id) {
  const std::vector<std::shared_ptr<Stream>> streams = StreamsOf(lease_id);
  {
    absl::MutexLock lock(&mutex_);
    deadlines_.erase(lease_id);
    stops_.erase(lease_id);
  }
  for (const std::shared_ptr<Stream>& stream : streams) stream->OnLost();
}

std::vector<std::shared_ptr<LeaseMonitor::Stream>> LeaseMonitor::StreamsOf(
    const std::string& lease_id) {
  std::vector<std::shared_ptr<Stream>> found;
  absl::MutexLock lock(&mutex_);
  const auto it = streams_.find(lease_id);
  if (it == streams_.end()) return found;
  for (const std::weak_ptr<Stream>& stream : it->second) {
    if (auto alive = stream.lock()) found.push_back(std::move(alive));
  }
  if (found.empty()) streams_.erase(it);
  return found;
}

}  // namespace assay
