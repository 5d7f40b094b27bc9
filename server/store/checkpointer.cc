#include "server/store/checkpointer.h"

#include <utility>

#include "base/log.h"
#include "base/status_macros.h"

namespace assay {

absl::StatusOr<std::unique_ptr<Checkpointer>> Checkpointer::Create(
    const std::string& path) {
  ASSAY_ASSIGN_OR_RETURN(
      std::unique_ptr<Database> database,
      Database::Open(path, Database::Mode::kReadWriteCreate));
  // Only a connection that has read knows that there is a log.
  ASSAY_RETURN_IF_ERROR(database->Execute("SELECT 1 FROM sqlite_schema"));
  return std::unique_ptr<Checkpointer>(new Checkpointer(std::move(database)));
}

Checkpointer::Checkpointer(std::unique_ptr<Database> database)
    : database_(std::move(database)), thread_([this] { Loop(); }) {}

Checkpointer::~Checkpointer() {
  {
    absl::MutexLock lock(&mutex_);
    stopping_ = true;
  }
  thread_.join();
}

bool Checkpointer::NoteLogPages(int pages) {
  if (pages < kPages) return false;
  absl::MutexLock lock(&mutex_);
  wanted_ = true;
  return pages >= kTooManyPages;
}

void Checkpointer::Loop() {
  const auto due = [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    return wanted_ || stopping_;
  };
  while (true) {
    {
      absl::MutexLock lock(&mutex_);
      mutex_.Await(absl::Condition(&due));
      if (stopping_) return;
      wanted_ = false;
    }
    const absl::Status moved = database_->Checkpoint();
    // The next commit asks again.
    if (!moved.ok()) {
      LogWarning("store checkpoint failed", {{"error", moved.ToString()}});
    }
  }
}

}  // namespace assay
