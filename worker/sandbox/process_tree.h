// A process and its descendants, from /proc.

#ifndef ASSAY_WORKER_SANDBOX_PROCESS_TREE_H_
#define ASSAY_WORKER_SANDBOX_PROCESS_TREE_H_

#include <sys/types.h>

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

// The process first.
std::vector<pid_t> ProcessAndDescendants(pid_t root);

}  // namespace assay

#endif  // ASSAY_WORKER_SANDBOX_PROCESS_TREE_H_
