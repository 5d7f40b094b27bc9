#include "server/evaluation/event_hub.h"

#include <algorithm>
#include <set>
#include <utility>

namespace assay {
namespace {

// Tells them apart without a reference that may turn out to be the last one,
// whose end would call back into the hub.
bool IsSame(const std::weak_ptr<EventHub::Listener>& a,
            const std::weak_ptr<EventHub::Listener>& b) {
  return !a.owner_before(b) && !b.owner_before(a);
}

}  // namespace

void EventHub::Subscribe(const std::string& submission_id,
                         std::weak_ptr<Listener> listener) {
  absl::MutexLock lock(&mutex_);
  listeners_[submission_id].push_back(std::move(listener));
}

void EventHub::Unsubscribe(const std::string& submission_id,
                           const std::weak_ptr<Listener>& listener) {
  absl::MutexLock lock(&mutex_);
  const auto it = listeners_.find(submission_id);
  if (it == listeners_.end()) return;
  std::vector<std::weak_ptr<Listener>>& listeners = it->second;
  listeners.erase(std::remove_if(listeners.begin(), listeners.end(),
                                 [&](const std::weak_ptr<Listener>& other) {
                                   return IsSame(other, listener);
                                 }),
                  listeners.end());
  if (listeners.empty()) listeners_.erase(it);
}

void EventHub::Publish(const std::vector<SubmissionChange>& changes) {
  for (const SubmissionChange& change : changes) {
    const std::string& id = change.event.submission_id();
    for (const std::shared_ptr<Listener>& listener : ListenersOf(id)) {
      listener->OnChange(change);
    }
    if (!change.event.has_done()) continue;
    absl::MutexLock lock(&mutex_);
    listeners_.erase(id);
  }
}

void EventHub::PublishQueue(const QueueView& view) {
  // One that listens to several submissions is told once.
  std::set<std::shared_ptr<Listener>> listeners;
  {
    absl::MutexLock lock(&mutex_);
    for (const auto& [id, interested] : listeners_) {
      for (const std::weak_ptr<Listener>& listener : interested) {
        if (auto alive = listener.lock()) listeners.insert(std::move(alive));
      }
    }
  }
  for (const std::shared_ptr<Listener>& listener : listeners) {
    listener->OnQueue(view);
  }
}

std::vector<std::shared_ptr<EventHub::Listener>> EventHub::ListenersOf(
    const std::string& submission_id) {
  std::vector<std::shared_ptr<Listener>> found;
  absl::MutexLock lock(&mutex_);
  const auto it = listeners_.find(submission_id);
  if (it == listeners_.end()) return found;
  for (const std::weak_ptr<Listener>& listener : it->second) {
    if (auto alive = listener.lock()) found.push_back(std::move(alive));
  }
  return found;
}

size_t EventHub::size() const {
  absl::MutexLock lock(&mutex_);
  return listeners_.size();
}

}  // namespace assay
