// Threads that read, each on its own connection and from its own snapshot, so
// that no reader waits for the writer.

#ifndef ASSAY_SERVER_STORE_READERS_H_
#define ASSAY_SERVER_STORE_READERS_H_

#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "base/clock.h"
#include "server/store/sqlite.h"
#include "server/store/task_queue.h"

namespace assay {

// Thread-safe.
class StoreReaders {
 public:
  static absl::StatusOr<std::unique_ptr<StoreReaders>> Create(
      const std::string& path, int threads, Clock& clock, size_t max_waiting);
  // Stops.
  ~StoreReaders();

  void Post(StoreTask task) { queue_.Post(std::move(task)); }
  // Units of work that wait.
  size_t waiting() const { return queue_.size(); }
  // Finishes what is posted and refuses more.
  void Stop();

 private:
  StoreReaders(Clock& clock, size_t max_waiting)
      : clock_(clock), queue_(max_waiting) {}
  void Loop(Database& database);

  Clock& clock_;
  TaskQueue queue_;
  std::vector<std::unique_ptr<Database>> databases_;
  std::vector<std::thread> threads_;
};

}  // namespace assay

#endif  // ASSAY_SERVER_STORE_READERS_H_
