#include "worker/evaluate/baseline_pool.h"

#include <utility>

namespace assay {

BaselinePool::BaselinePool(size_t capacity,
                           std::function<std::unique_ptr<Baseline>()> make)
    : make_(std::move(make)), entries_(capacity) {
  for (Entry& entry : entries_) entry.baseline = make_();
}

std::unique_ptr<BaselinePool::Use> BaselinePool::Take(
    absl::string_view definition_digest) {
  Entry* chosen = nullptr;
  const auto found = [&]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    chosen = Choose(definition_digest);
    return chosen != nullptr;
  };
  absl::MutexLock lock(&mutex_);
  mutex_.Await(absl::Condition(&found));
  chosen->in_use = true;
  chosen->last_used = ++uses_;
  chosen->digest = std::string(definition_digest);
  return std::make_unique<Use>(*this, *chosen);
}

BaselinePool::Entry* BaselinePool::Choose(absl::string_view digest) {
  Entry* oldest = nullptr;
  for (Entry& entry : entries_) {
    if (entry.digest == digest) return entry.in_use ? nullptr : &entry;
    if (entry.in_use) continue;
    if (oldest == nullptr || entry.last_used < oldest->last_used) {
      oldest = &entry;
    }
  }
  return oldest;
}

void BaselinePool::Clear() {
  absl::MutexLock lock(&mutex_);
  for (Entry& entry : entries_) {
    if (entry.in_use) continue;
    entry.digest.clear();
    entry.baseline = make_();
  }
}

void BaselinePool::Return(Entry& entry) {
  absl::MutexLock lock(&mutex_);
  entry.in_use = false;
}

}  // namespace assay
