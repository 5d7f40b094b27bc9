// What to start and within which bounds; how it ended.

#ifndef ASSAY_WORKER_LAUNCHER_SPAWN_OPTIONS_H_
#define ASSAY_WORKER_LAUNCHER_SPAWN_OPTIONS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/time/time.h"

namespace assay {

// What a process may take. Resource limits of setrlimit(2) are soft and hard
// alike; unset ones are inherited from the worker.
struct ProcessLimits {
  // Core dumps fill disks and show memory: none by default.
  std::optional<int64_t> core_bytes = 0;
  // Largest file that may be written.
  std::optional<int64_t> file_bytes;
  // Processes and threads of the user, those outside included. The kernel does
  // not apply it to root.
  std::optional<int64_t> processes;
  // Virtual memory of each process. Not for processes that use a GPU: the
  // driver reserves far more than it uses.
  std::optional<int64_t> address_space_bytes;
  // Descriptors of each process.
  std::optional<int64_t> open_files;
  // Seconds of processor time of each process; SIGKILL then.
  std::optional<int64_t> cpu_seconds;
  // Processors that it may run on; empty: all that the worker may.
  std::vector<int> cpus;
  // Added to its niceness, 0 to 19: how readily it lets others go first.
  int nice = 0;
};

// A user namespace in which root is root outside, and user and group `id` are
// those outside. Takes a worker that is root.
struct NewUserNamespace {
  // Number of its descriptor in the program.
  int fd = 0;
  uint32_t id = 0;
};

struct SpawnOptions {
  // The program's absolute path, then its arguments.
  std::vector<std::string> argv;
  // NAME=value; the whole environment.
  std::vector<std::string> env;
  // (descriptor here, its number in the program). Borrowed until Spawn returns.
  // 0 to 2 are /dev/null unless named; all others are closed.
  std::vector<std::pair<int, int>> fds;
  // (content, the number of a descriptor that reads it). For what is small and
  // the same for many, which then need not share a place in a file.
  std::vector<std::pair<std::string, int>> data;
  // A fresh one, for the program to join.
  std::optional<NewUserNamespace> user_namespace;
  // Descriptor of the file cgroup.procs of a control group, open for writing:
  // the program is a member from its first moment on. Borrowed, as those above.
  std::optional<int> control_group;
  std::string working_directory = "/";
  ProcessLimits limits;
};

struct ExitStatus {
  // As waitpid(2) gives it.
  int wait_status = 0;
  // Of the process and the descendants that it waited for.
  absl::Duration user_time;
  absl::Duration system_time;
  int64_t max_rss_bytes = 0;

  bool success() const { return wait_status == 0; }

  // "exit code 1" or "killed by signal 11 (segmentation fault)".
  std::string Describe() const;
};

// "killed by signal 11 (segmentation fault)".
std::string DescribeSignal(int signal);

}  // namespace assay

#endif  // ASSAY_WORKER_LAUNCHER_SPAWN_OPTIONS_H_
