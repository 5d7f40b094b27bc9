#include "worker/sandbox/process_tree.h"

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

}  // namespace assay
