#include "server/store/task_queue.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace assay {

void TaskQueue::Post(StoreTask task) {
  absl::Status refused = Push(task);
  if (!refused.ok()) task.done(std::move(refused));
}

absl::Status TaskQueue::Push(StoreTask& task) {
  absl::MutexLock lock(&mutex_);
  if (closed_) {
    return absl::UnavailableError("the coordinator is stopping: repeat later");
  }
  if (tasks_.size() >= max_waiting_) {
    return absl::ResourceExhaustedError(
        "the store has too much to do: repeat in a second");
  }
  tasks_.push_back(std::move(task));
  return absl::OkStatus();
}

std::vector<StoreTask> TaskQueue::Take(size_t max) {
  absl::MutexLock lock(&mutex_);
  const auto ready = [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    return closed_ || !tasks_.empty();
  };
  mutex_.Await(absl::Condition(&ready));
  const auto end =
      tasks_.begin() + static_cast<int64_t>(std::min(max, tasks_.size()));
  std::vector<StoreTask> taken(std::make_move_iterator(tasks_.begin()),
                               std::make_move_iterator(end));
  tasks_.erase(tasks_.begin(), end);
  return taken;
}

size_t TaskQueue::size() const {
  absl::MutexLock lock(&mutex_);
  return tasks_.size();
}

void TaskQueue::Close() {
  absl::MutexLock lock(&mutex_);
  closed_ = true;
}

}  // namespace assay
