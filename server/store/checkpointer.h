// Moves what the write-ahead log holds into the database file, on a thread and
// a connection of its own: a commit does not wait for it.
//
//   ASSAY_ASSIGN_OR_RETURN(auto checkpointer, Checkpointer::Create(path));
//   checkpointer->NoteLogPages(pages);  // after every commit

#ifndef ASSAY_SERVER_STORE_CHECKPOINTER_H_
#define ASSAY_SERVER_STORE_CHECKPOINTER_H_

#include <memory>
#include <string>
#include <thread>

#include "absl/base/thread_annotations.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "server/store/sqlite.h"

namespace assay {

// Thread-safe.
class Checkpointer {
 public:
  // Pages of the log from which on it works; a page has 4 KiB.
  static constexpr int kPages = 4000;
  // From here on the writer has to help, see NoteLogPages.
  static constexpr int kTooManyPages = 25000;

  static absl::StatusOr<std::unique_ptr<Checkpointer>> Create(
      const std::string& path);
  ~Checkpointer();

  // Has the thread work when the log has become long. True when it is so long
  // that the caller, between two transactions, should do it instead: the log
  // begins anew only at a moment at which everything in it has been moved,
  // which a thread beside a busy writer never sees.
  bool NoteLogPages(int pages);

 private:
  explicit Checkpointer(std::unique_ptr<Database> database);
  void Loop();

  const std::unique_ptr<Database> database_;
  absl::Mutex mutex_;
  bool wanted_ ABSL_GUARDED_BY(mutex_) = false;
  bool stopping_ ABSL_GUARDED_BY(mutex_) = false;
  // Last: starts when the rest is there.
  std::thread thread_;
};

}  // namespace assay

#endif  // ASSAY_SERVER_STORE_CHECKPOINTER_H_
