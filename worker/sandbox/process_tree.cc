#include "worker/sandbox/process_tree.h"

#include <fstream>
#include <optional>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "worker/proc_stat.h"

namespace assay {
namespace {

// Bytes on the lines of these names, which give KiB; the latter may be missing
// and ends the search. Nothing when there is no former.
std::optional<int64_t> SumOf(const std::string& path, absl::string_view first,
                             absl::string_view last) {
  std::ifstream file(path);
  std::optional<int64_t> bytes;
  for (std::string name; file >> name;) {
    if (name == first || name == last) {
      int64_t kib = 0;
      file >> kib;
      bytes = bytes.value_or(0) + (kib << 10);
    }
    if (name == last) break;
    file.ignore(1 << 20, '\n');
  }
  return bytes;
}

}  // namespace

ProcessTree FindProcessTree(pid_t root, int max_threads) {
  ProcessTree tree;
  std::vector<pid_t> all = {root};
  for (size_t i = 0; i < all.size() && tree.threads <= max_threads; ++i) {
    tree.threads += AddChildren(all[i], all);
  }
  tree.descendants.assign(all.begin() + 1, all.end());
  return tree;
}

int64_t PrivateMemoryBytes(pid_t pid) {
  return SumOf(absl::StrCat("/proc/", pid, "/status"), "RssAnon:", "VmSwap:")
      .value_or(0);
}

int64_t ShareOfMemoryBytes(pid_t pid) {
  const std::optional<int64_t> share = SumOf(
      absl::StrCat("/proc/", pid, "/smaps_rollup"), "Pss_Anon:", "SwapPss:");
  return share.has_value() ? *share : PrivateMemoryBytes(pid);
}

}  // namespace assay
