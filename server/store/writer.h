// The one thread that writes, with group commit: what is posted while it works
// shares the next transaction, so that one fsync serves many.

#ifndef ASSAY_SERVER_STORE_WRITER_H_
#define ASSAY_SERVER_STORE_WRITER_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "base/clock.h"
#include "server/store/effects.h"
#include "server/store/sqlite.h"
#include "server/store/task_queue.h"

namespace assay {

// A transaction of the writer that has ended.
struct StoreGroup {
  // Units of work in it.
  size_t tasks = 0;
  // From its beginning to the end of the commit, or of the failure.
  absl::Duration duration;
  // An error means that none of them is stored.
  absl::Status status;
};

// Thread-safe.
class StoreWriter {
 public:
  // Called on the writer's thread; must not block.
  struct Hooks {
    // After every commit, before the `done`s.
    std::function<void(Effects)> on_commit;
    // After every transaction, first of all.
    std::function<void(const StoreGroup&)> on_group;
    // After every commit, with the pages in the write-ahead log. True: it is
    // for the writer to move them into the database.
    std::function<bool(int pages)> on_log;
  };

  // Most units of work in one transaction.
  static constexpr size_t kMaxGroup = 256;

  // `change_counter` is the number of the latest change in the store.
  StoreWriter(std::unique_ptr<Database> database, int64_t change_counter,
              Clock& clock, size_t max_waiting, Hooks hooks);
  // Stops.
  ~StoreWriter();

  void Post(StoreTask task) { queue_.Post(std::move(task)); }
  // Units of work that wait.
  size_t waiting() const { return queue_.size(); }
  // Finishes what is posted and refuses more.
  void Stop();

 private:
  void Loop();
  // Runs the tasks in one transaction; a status for each. An error means that
  // none of them is stored.
  absl::StatusOr<std::vector<absl::Status>> RunGroup(
      const std::vector<StoreTask>& tasks, Effects& effects);
  // Of a task that may have left no transaction: SQLite rolls back by itself
  // when e.g. the disk is full, and with it the tasks before.
  absl::Status CheckTransaction(const absl::Status& result) const;
  // One of several: it is undone alone when it fails.
  absl::Status RunOne(const StoreTask& task, Effects& effects);
  absl::Status RunAlone(const StoreTask& task, Effects& effects);

  const std::unique_ptr<Database> database_;
  // Only the thread touches it.
  int64_t change_counter_;
  Clock& clock_;
  const Hooks hooks_;
  TaskQueue queue_;
  // Last: starts when the rest is there.
  std::thread thread_;
};

}  // namespace assay

#endif  // ASSAY_SERVER_STORE_WRITER_H_
