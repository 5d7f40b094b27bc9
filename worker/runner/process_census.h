// What a runner left running besides itself.

#ifndef ASSAY_WORKER_RUNNER_PROCESS_CENSUS_H_
#define ASSAY_WORKER_RUNNER_PROCESS_CENSUS_H_

#include <sys/types.h>

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"

namespace assay {

// Copyable, thread-safe.
class ProcessCensus {
 public:
  // Of the processes that descend from `pid`; with `siblings` of all that
  // descend from its parent: to give when that is a process that orphans come
  // to and that has no other children of its own. FAILED_PRECONDITION when the
  // kernel does not tell about children here.
  static absl::StatusOr<ProcessCensus> Of(pid_t pid, bool siblings);

  // The names of the processes that are alive, `pid` and its parent aside;
  // printable ASCII. At most kMost. Threads do not count, nor does what is over
  // and was not waited for. One that comes and goes too fast to be seen, as one
  // that forks itself on and on, is "(fleeting)".
  std::vector<std::string> Others() const;

  // Processor time that those that Others names, and their children that are
  // over, have had in their lives.
  absl::Duration CpuTimeOfOthers() const;

  static constexpr size_t kMost = 1000;

 private:
  struct Look {
    // All that were listed.
    std::vector<pid_t> pids;
    // Of those that are alive.
    std::vector<std::string> names;
    // Whether one was gone before it could be looked at.
    bool has_vanished = false;
    absl::Duration cpu_time;
  };

  ProcessCensus(pid_t pid, pid_t root) : pid_(pid), root_(root) {}

  Look LookOnce() const;

  pid_t pid_;
  // Those that descend from it count.
  pid_t root_;
};

}  // namespace assay

#endif  // ASSAY_WORKER_RUNNER_PROCESS_CENSUS_H_
