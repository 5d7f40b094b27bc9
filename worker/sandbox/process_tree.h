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

// Memory of the process that no file is behind, swapped out or not; 0 when it
// is gone. What a fork still shares counts in full: for parent and child
// together it may be much too high, never too low.
int64_t PrivateMemoryBytes(pid_t pid);

// The same, but of what several processes share only this one's part, which
// takes longer to find out. Where the kernel does not tell: the same.
int64_t ShareOfMemoryBytes(pid_t pid);

}  // namespace assay

#endif  // ASSAY_WORKER_SANDBOX_PROCESS_TREE_H_
