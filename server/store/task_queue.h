// Units of work on their way to a thread of the store.

#ifndef ASSAY_SERVER_STORE_TASK_QUEUE_H_
#define ASSAY_SERVER_STORE_TASK_QUEUE_H_

#include <deque>
#include <functional>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/synchronization/mutex.h"
#include "server/store/session.h"

namespace assay {

using StoreWork = std::function<absl::Status(Session&)>;
using StoreDone = std::function<void(absl::Status)>;

struct StoreTask {
  StoreWork work;
  StoreDone done;
};

// A bounded queue. Thread-safe.
class TaskQueue {
 public:
  explicit TaskQueue(size_t max_waiting) : max_waiting_(max_waiting) {}

  // Calls `task.done` at once when the queue is full or closed.
  void Post(StoreTask task);

  // Waits for tasks and takes up to `max`, in order. Empty: the queue is closed
  // and has been emptied.
  std::vector<StoreTask> Take(size_t max);

  // Tasks that wait.
  size_t size() const;

  // Refuses what is posted from now on.
  void Close();

 private:
  absl::Status Push(StoreTask& task);

  const size_t max_waiting_;
  mutable absl::Mutex mutex_;
  std::deque<StoreTask> tasks_ ABSL_GUARDED_BY(mutex_);
  bool closed_ ABSL_GUARDED_BY(mutex_) = false;
};

}  // namespace assay

#endif  // ASSAY_SERVER_STORE_TASK_QUEUE_H_
