// Threads for what reads and writes files, so that no reaction does.

#ifndef ASSAY_SERVER_BLOB_FILE_THREADS_H_
#define ASSAY_SERVER_BLOB_FILE_THREADS_H_

#include <deque>
#include <functional>
#include <thread>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"

namespace assay {

// Each caller has at most one step waiting, so the queue needs no bound.
// Thread-safe.
class FileThreads {
 public:
  explicit FileThreads(int threads);
  // Finishes what is posted.
  ~FileThreads();
  FileThreads(const FileThreads&) = delete;
  FileThreads& operator=(const FileThreads&) = delete;

  void Post(std::function<void()> step);

 private:
  void Loop();

  absl::Mutex mutex_;
  std::deque<std::function<void()>> steps_ ABSL_GUARDED_BY(mutex_);
  bool stopping_ ABSL_GUARDED_BY(mutex_) = false;
  std::vector<std::thread> threads_;
};

}  // namespace assay

#endif  // ASSAY_SERVER_BLOB_FILE_THREADS_H_
