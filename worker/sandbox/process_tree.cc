#include "worker/sandbox/process_tree.h"

#include <dirent.h>

#include <fstream>
#include <optional>
#include <string>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"

namespace assay {
namespace {

// Numbers that the entries of a folder are named by.
std::vector<pid_t> NumbersIn(const std::string& folder) {
  std::vector<pid_t> numbers;
  DIR* open = opendir(folder.c_str());
  if (open == nullptr) return numbers;
  while (const dirent* entry = readdir(open)) {
    pid_t number;
    if (absl::SimpleAtoi(entry->d_name, &number)) numbers.push_back(number);
  }
  closedir(open);
  return numbers;
}

// Bytes on the lines of these names, which give KiB, the latter name's being
// the last of interest. Nothing when the file cannot be read to there.
std::optional<int64_t> SumOf(const std::string& path, absl::string_view first,
                             absl::string_view last) {
  std::ifstream file(path);
  int64_t kib = 0;
  for (std::string name; file >> name;) {
    if (name == first || name == last) {
      int64_t value = 0;
      file >> value;
      kib += value;
    }
    if (name == last) return kib << 10;
    file.ignore(1 << 20, '\n');
  }
  return std::nullopt;
}

}  // namespace

ProcessTree FindProcessTree(pid_t root, int max_threads) {
  ProcessTree tree;
  std::vector<pid_t> all = {root};
  for (size_t i = 0; i < all.size() && tree.threads <= max_threads; ++i) {
    const std::string folder = absl::StrCat("/proc/", all[i], "/task");
    for (const pid_t thread : NumbersIn(folder)) {
      ++tree.threads;
      // The kernel lists children by the thread that started them.
      std::ifstream children(absl::StrCat(folder, "/", thread, "/children"));
      for (pid_t child; children >> child;) all.push_back(child);
    }
  }
  tree.descendants.assign(all.begin() + 1, all.end());
  return tree;
}

int64_t StartTime(pid_t pid) {
  std::ifstream file(absl::StrCat("/proc/", pid, "/stat"));
  std::string line;
  std::getline(file, line);
  // "pid (name) state ...", where the name may hold anything.
  const size_t name_end = line.rfind(')');
  if (name_end == std::string::npos) return 0;
  const std::vector<absl::string_view> fields =
      absl::StrSplit(absl::string_view(line).substr(name_end + 1), ' ');
  // Field 22 in the manual; " state" is field 3 and has index 1 here.
  constexpr size_t kStartTime = 20;
  int64_t time = 0;
  if (fields.size() <= kStartTime ||
      !absl::SimpleAtoi(fields[kStartTime], &time)) {
    return 0;
  }
  return time;
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
