// What a process and its descendants take of the machine, from /proc.

#ifndef ASSAY_WORKER_SANDBOX_PROCESS_TREE_H_
#define ASSAY_WORKER_SANDBOX_PROCESS_TREE_H_

#include <sys/types.h>

#include <cstdint>
#include <vector>

namespace assay {

struct ProcessTree {
  // Descendants, parents before their children.
  std::vector<pid_t> descendants;
  // Threads of all of them and of the root.
  int threads = 0;
};

// Stops looking once there are more than `max_threads`. Processes that end
// meanwhile are left out.
ProcessTree FindProcessTree(pid_t root, int max_threads);

// When it started, in the kernel's own unit; 0 when there is no such process.
int64_t StartTime(pid_t pid);

// Memory that is the process's alone, swapped out or not; 0 when it is gone.
int64_t PrivateMemoryBytes(pid_t pid);

}  // namespace assay

#endif  // ASSAY_WORKER_SANDBOX_PROCESS_TREE_H_
