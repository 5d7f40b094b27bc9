#include "server/evaluation/event_hub.h"

#include <algorithm>
#include <utility>

namespace assay {
namespace {

void ForgetGone(std::vector<std::weak_ptr<EventHub::Listener>>& listeners) {
  listeners.erase(
      std::remove_if(listeners.begin(), listeners.end(),
                     [](const std::weak_ptr<EventHub::Listener>& listener) {
                       return listener.expired();
                     }),
      listeners.end());
}

}  // namespace

void EventHub::Subscribe(const std::string& submission_id,
                         std::weak_ptr<Listener> listener) {
  absl::MutexLock lock(&mutex_);
  std::vector<std::weak_ptr<Listener>>& listeners = listeners_[submission_id];
  // Someone who watches anew again and again must not pile up.
  ForgetGone(listeners);
  listeners.push_back(std::move(listener));
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

std::vector<std::shared_ptr<EventHub::Listener>> EventHub::ListenersOf(
    const std::string& submission_id) {
  std::vector<std::shared_ptr<Listener>> found;
  absl::MutexLock lock(&mutex_);
  const auto it = listeners_.find(submission_id);
  if (it == listeners_.end()) return found;
  for (const std::weak_ptr<Listener>& listener : it->second) {
    if (auto alive = listener.lock()) found.push_back(std::move(alive));
  }
  if (found.empty()) listeners_.erase(it);
  return found;
}

}  // namespace assay
