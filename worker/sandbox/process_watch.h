// Ends processes that take more than they may, and remembers why.
//
//   ProcessWatch watch;
//   const auto watched = watch.Watch(process->pid(), {.memory_bytes = 1 <<
//   30});
//   ... wait for the process ...
//   if (!watched->limit_hit().empty()) ... it was stopped because it ...
//
// Works on every host, because it asks nothing of it but /proc: ten times a
// second a thread adds up what a process and its descendants take.

#ifndef ASSAY_WORKER_SANDBOX_PROCESS_WATCH_H_
#define ASSAY_WORKER_SANDBOX_PROCESS_WATCH_H_

#include <sys/types.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"

namespace assay {

// Of a process and its descendants together; 0: no limit.
struct WatchLimits {
  // Memory, see memory_use.h.
  int64_t memory_bytes = 0;
  // Processes and threads at a time.
  int processes = 0;
  // Processor time, that of those that ended and were waited for included.
  absl::Duration cpu_time;
  // What the files below `folder` take on the disk.
  int64_t folder_bytes = 0;
  std::string folder;
  // Bytes of output so far, and their limit. For any thread, and quick.
  int64_t printed_bytes = 0;
  std::function<int64_t()> printed;
  // A limit that the kernel saw exceeded, in the words of limit_hit; else
  // empty. For any thread, and quick.
  std::function<std::string()> kernel_limit_hit;
  // The root counts but is not killed: it reports the end of the others.
  bool spares_root = false;
};

// One watched process; watched as long as this lives, which must end before its
// process id can be another's. Thread-safe.
class WatchedProcess {
 public:
  // Why it was killed, by this or by the kernel, to follow "it was stopped
  // because it": "used more than 64 MiB of memory, which is the limit". Else
  // empty.
  std::string limit_hit() const;

  // How much memory was given to them, and does not count: tensors that they
  // share with the worker. 0 at first.
  void set_given_bytes(int64_t bytes) { given_bytes_ = bytes; }

 private:
  friend class ProcessWatch;
  WatchedProcess(pid_t root, WatchLimits limits);

  // Looks once; kills when a limit is exceeded.
  void Check();

  const pid_t root_;
  // Tells it from a later process with its number.
  const int64_t started_;
  const WatchLimits limits_;
  std::atomic<int64_t> given_bytes_ = 0;
  mutable absl::Mutex mutex_;
  std::string limit_hit_ ABSL_GUARDED_BY(mutex_);
};

// Thread-safe.
class ProcessWatch {
 public:
  ProcessWatch();
  ~ProcessWatch();
  ProcessWatch(const ProcessWatch&) = delete;
  ProcessWatch& operator=(const ProcessWatch&) = delete;

  std::shared_ptr<WatchedProcess> Watch(pid_t root, WatchLimits limits);

 private:
  void Loop();

  absl::Mutex mutex_;
  bool stop_ ABSL_GUARDED_BY(mutex_) = false;
  std::vector<std::weak_ptr<WatchedProcess>> watched_ ABSL_GUARDED_BY(mutex_);
  std::thread thread_;
};

}  // namespace assay

#endif  // ASSAY_WORKER_SANDBOX_PROCESS_WATCH_H_
