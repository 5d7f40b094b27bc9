// A program that runs beside this one and does not outlive the object.
//
//   ChildProcess::Options options;
//   options.argv = {"/usr/bin/assay-worker", "--device", "cpu"};
//   options.output_path = "worker.log";
//   ASSAY_ASSIGN_OR_RETURN(ChildProcess child, ChildProcess::Start(options));
//   child.Stop(absl::Seconds(5));
//
// Started with posix_spawn, so that a program with many threads may use it.
// Thread-compatible.

#ifndef ASSAY_BASE_CHILD_PROCESS_H_
#define ASSAY_BASE_CHILD_PROCESS_H_

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "base/fd.h"

namespace assay {

class ChildProcess {
 public:
  struct Options {
    // The program's path, then its arguments.
    std::vector<std::string> argv;
    // File that takes its standard output and error, created or appended to.
    // Empty: /dev/null.
    std::string output_path;
  };

  // The child leads a process group of its own, with no signal blocked, nothing
  // on standard input and this program's environment. NOT_FOUND when there is
  // no such program.
  static absl::StatusOr<ChildProcess> Start(const Options& options);

  // Stops it with a short grace if it still runs.
  ~ChildProcess();
  ChildProcess(ChildProcess&& other) noexcept;
  ChildProcess& operator=(ChildProcess&& other) noexcept;

  pid_t pid() const { return pid_; }
  // Readable once the child has ended, for poll(2).
  int pidfd() const { return pidfd_.get(); }

  // The wait status once it has ended, and what it started has been killed;
  // nothing while it runs after `timeout`.
  std::optional<int> Wait(absl::Duration timeout);

  // SIGTERM, then SIGKILL to the whole group once `grace` has passed. Returns
  // the wait status. Harmless when it has ended already.
  int Stop(absl::Duration grace);

 private:
  ChildProcess(pid_t pid, UniqueFd pidfd);

  pid_t pid_ = -1;
  UniqueFd pidfd_;
  std::optional<int> wait_status_;
};

// "exit code 1" or "killed by signal 11 (Segmentation fault)".
std::string DescribeWaitStatus(int wait_status);

}  // namespace assay

#endif  // ASSAY_BASE_CHILD_PROCESS_H_
