#include "server/store/readers.h"

#include "absl/time/time.h"
#include "base/status_macros.h"

namespace assay {
namespace {

absl::Status RunInSnapshot(const StoreTask& task, Database& database,
                           Clock& clock) {
  ASSAY_ASSIGN_OR_RETURN(const Transaction transaction,
                         Transaction::BeginRead(database));
  // Nothing changes, so nothing is numbered.
  int64_t no_changes = 0;
  Session session(database, no_changes, absl::ToUnixMicros(clock.Now()));
  return task.work(session);
}

}  // namespace

absl::StatusOr<std::unique_ptr<StoreReaders>> StoreReaders::Create(
    const std::string& path, int threads, Clock& clock, size_t max_waiting) {
  std::unique_ptr<StoreReaders> readers(new StoreReaders(clock, max_waiting));
  for (int i = 0; i < threads; ++i) {
    ASSAY_ASSIGN_OR_RETURN(std::unique_ptr<Database> database,
                           Database::Open(path, Database::Mode::kReadOnly));
    readers->databases_.push_back(std::move(database));
  }
  for (const std::unique_ptr<Database>& database : readers->databases_) {
    readers->threads_.emplace_back(
        [self = readers.get(), &database = *database] {
          self->Loop(database);
        });
  }
  return readers;
}

StoreReaders::~StoreReaders() { Stop(); }

void StoreReaders::Stop() {
  queue_.Close();
  for (std::thread& thread : threads_) {
    if (thread.joinable()) thread.join();
  }
}

void StoreReaders::Loop(Database& database) {
  while (true) {
    const std::vector<StoreTask> tasks = queue_.Take(1);
    if (tasks.empty()) return;
    for (const StoreTask& task : tasks) {
      task.done(RunInSnapshot(task, database, clock_));
    }
  }
}

}  // namespace assay
