#include "server/store/store.h"

#include <sys/stat.h>

#include "absl/strings/str_cat.h"
#include "absl/synchronization/notification.h"
#include "base/status_macros.h"
#include "server/store/checkpointer.h"
#include "server/store/migrations.h"
#include "server/store/readers.h"
#include "server/store/store_lock.h"
#include "server/store/store_path.h"
#include "server/store/writer.h"

namespace assay {
namespace {

absl::Status InWords(const absl::Status& status, const std::string& path) {
  if (status.code() == absl::StatusCode::kDataLoss) {
    return absl::FailedPreconditionError(absl::StrCat(
        "store \"", path, "\" is not a database, or is damaged (",
        status.message(), "): choose another --store or restore a backup"));
  }
  return Annotate(status, absl::StrCat("store \"", path, "\""));
}

absl::StatusOr<std::unique_ptr<Database>> OpenDatabase(
    const std::string& path) {
  absl::StatusOr<std::unique_ptr<Database>> database =
      Database::Open(path, Database::Mode::kReadWriteCreate);
  if (!database.ok()) return InWords(database.status(), path);
  const absl::Status migrated = Migrate(**database, BuiltInMigrations(), path);
  if (migrated.code() == absl::StatusCode::kDataLoss) {
    return InWords(migrated, path);
  }
  ASSAY_RETURN_IF_ERROR(migrated);
  return database;
}

}  // namespace

Store::Store() = default;

Store::~Store() { Stop(); }

absl::StatusOr<std::unique_ptr<Store>> Store::Open(Options options) {
  std::unique_ptr<Store> store(new Store);
  ASSAY_ASSIGN_OR_RETURN(store->path_, ResolveStorePath(options.path));
  ASSAY_ASSIGN_OR_RETURN(store->lock_, StoreLock::Acquire(store->path_));
  ASSAY_ASSIGN_OR_RETURN(std::unique_ptr<Database> database,
                         OpenDatabase(store->path_));
  ASSAY_ASSIGN_OR_RETURN(store->checkpointer_,
                         Checkpointer::Create(store->path_));
  database->LeaveCheckpoints();
  ASSAY_ASSIGN_OR_RETURN(const int64_t latest_change,
                         JobTable::LatestChange(*database));
  ASSAY_ASSIGN_OR_RETURN(
      store->readers_,
      StoreReaders::Create(store->path_, options.readers, *options.clock,
                           options.max_waiting));
  store->writer_ = std::make_unique<StoreWriter>(
      std::move(database), latest_change, *options.clock, options.max_waiting,
      StoreWriter::Hooks{
          std::move(options.on_commit), std::move(options.on_group),
          [checkpointer = store->checkpointer_.get()](int pages) {
            return checkpointer->NoteLogPages(pages);
          }});
  return store;
}

Store::Waiting Store::waiting() const {
  return {writer_->waiting(), readers_->waiting()};
}

int64_t Store::bytes() const {
  int64_t bytes = 0;
  for (const absl::string_view suffix : {"", "-wal"}) {
    struct stat status;
    if (stat(absl::StrCat(path_, suffix).c_str(), &status) == 0) {
      bytes += status.st_size;
    }
  }
  return bytes;
}

void Store::PostWrite(Work work, Done done) {
  writer_->Post({std::move(work), std::move(done)});
}

void Store::PostRead(Work work, Done done) {
  readers_->Post({std::move(work), std::move(done)});
}

absl::Status Store::Wait(void (Store::*post)(Work, Done), Work work) {
  absl::Notification finished;
  absl::Status result;
  (this->*post)(std::move(work), [&](absl::Status status) {
    result = std::move(status);
    finished.Notify();
  });
  finished.WaitForNotification();
  return result;
}

void Store::Stop() {
  // Opening may have failed half-way.
  if (readers_ != nullptr) readers_->Stop();
  if (writer_ != nullptr) writer_->Stop();
}

}  // namespace assay
