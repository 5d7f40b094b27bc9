// Another process, hostile perhaps, that is stopped when it has nothing to do:
// what does not run can neither prepare an answer nor complete one.
//
//   ASSAY_ASSIGN_OR_RETURN(auto process, StoppableProcess::Open(pid));
//   process->Stop(absl::Milliseconds(50));
//   ...
//   if (!process->Continue().stood_still) { ... it ran meanwhile ... }

#ifndef ASSAY_WORKER_RUNNER_STOPPABLE_PROCESS_H_
#define ASSAY_WORKER_RUNNER_STOPPABLE_PROCESS_H_

#include <dirent.h>
#include <sys/types.h>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "base/fd.h"
#include "worker/proc_stat.h"

namespace assay {

// Thread-compatible. Refers to the process that had the id when it was opened,
// even after that has ended and the id is another's. Leaves the process as it
// is when destroyed.
class StoppableProcess {
 public:
  // `pid` as this process counts. FAILED_PRECONDITION when it is none that can
  // be stopped from here, such as this process itself, or one that is not
  // visible; or when the kernel lacks what it takes (Linux 5.3).
  static absl::StatusOr<std::unique_ptr<StoppableProcess>> Open(pid_t pid);

  pid_t pid() const { return pid_; }

  // Stops all its threads. True once none of them runs; false when one, such as
  // a thread in a long call of a driver, still did after `patience`: it stops
  // as soon as it can. False, too, when the process is gone.
  bool Stop(absl::Duration patience);

  // The threads that have not stopped, for people: "thread 12 (name) in state
  // D". Empty when all have.
  std::string Running() const;

  // What it did between Stop, which had said that it does nothing, and
  // Continue.
  struct Pause {
    // False when it ran: then it had itself woken, by a timer's signal for
    // example. Now and then false for a thread that the kernel had put off in
    // the middle of stopping: believe several.
    bool stood_still = true;
    // Processor time of its threads; that of those that have ended is missing.
    absl::Duration cpu_time;
  };

  // Whether the last Stop said so, and Continue was not called since.
  bool is_stopped() const { return is_stopped_; }

  // Has it go on; harmless when it is not stopped.
  Pause Continue();

 private:
  struct CloseFolder {
    void operator()(DIR* folder) const { closedir(folder); }
  };
  // How often a thread got onto a processor, and for how long.
  struct ThreadProgress {
    uint64_t times = 0;
    int64_t ns = 0;
  };
  using Progress = std::map<pid_t, ThreadProgress>;

  StoppableProcess(pid_t pid, UniqueFd pidfd, DIR* threads)
      : pid_(pid), pidfd_(std::move(pidfd)), threads_(threads) {}

  bool Signal(int number) const;
  std::vector<pid_t> Threads() const;
  // Of a thread, unless it has stopped or is over.
  std::optional<ProcStat> StatIfRunning(pid_t thread) const;
  bool HasStopped() const;
  Progress ReadProgress() const;

  const pid_t pid_;
  const UniqueFd pidfd_;
  // /proc/PID/task.
  const std::unique_ptr<DIR, CloseFolder> threads_;
  bool is_stopped_ = false;
  Progress progress_;
};

}  // namespace assay

#endif  // ASSAY_WORKER_RUNNER_STOPPABLE_PROCESS_H_
