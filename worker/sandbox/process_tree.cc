#include "worker/sandbox/process_tree.h"

#include <limits>

#include "worker/proc_stat.h"

namespace assay {

ProcessTree FindProcessTree(pid_t root, int max_threads) {
  ProcessTree tree;
  std::vector<pid_t> all = {root};
  for (size_t i = 0; i < all.size() && tree.threads <= max_threads; ++i) {
    tree.threads += AddChildren(all[i], all);
  }
  tree.descendants.assign(all.begin() + 1, all.end());
  return tree;
}

std::vector<pid_t> ProcessAndDescendants(pid_t root) {
  std::vector<pid_t> pids = {root};
  const ProcessTree tree =
      FindProcessTree(root, std::numeric_limits<int>::max());
  pids.insert(pids.end(), tree.descendants.begin(), tree.descendants.end());
  return pids;
}

}  // namespace assay
