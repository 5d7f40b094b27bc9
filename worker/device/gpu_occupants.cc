#include "worker/device/gpu_occupants.h"

#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "base/file.h"

namespace assay {
namespace {

struct ProcessEntry {
  std::string name;
  int parent = 0;
};

// From "4711 (python3) S 42 …"; the name may hold anything, ")" included. No
// name when there is no such process.
ProcessEntry ReadEntry(int pid, const std::string& proc) {
  const absl::StatusOr<std::string> stat =
      ReadFile(absl::StrCat(proc, "/", pid, "/stat"));
  if (!stat.ok()) return {};
  const size_t open = stat->find('(');
  const size_t close = stat->rfind(") ");
  if (open == std::string::npos || close == std::string::npos) return {};
  ProcessEntry entry;
  entry.name = stat->substr(open + 1, close - open - 1);
  const std::vector<absl::string_view> rest =
      absl::StrSplit(absl::string_view(*stat).substr(close + 2), ' ');
  if (rest.size() < 2 || !absl::SimpleAtoi(rest[1], &entry.parent)) return {};
  return entry;
}

bool Descends(int pid, int ancestor, const std::string& proc) {
  // Parents change while they are read: not for ever.
  for (int generation = 0; generation < 1000 && pid > 0; ++generation) {
    if (pid == ancestor) return true;
    pid = ReadEntry(pid, proc).parent;
  }
  return false;
}

}  // namespace

std::vector<std::string> Strangers(const std::vector<int>& pids, int ancestor,
                                   const std::string& proc) {
  std::vector<std::string> strangers;
  for (const int pid : pids) {
    const std::string name = ReadEntry(pid, proc).name;
    if (name.empty() || Descends(pid, ancestor, proc)) continue;
    strangers.push_back(absl::StrCat(name, " (", pid, ")"));
  }
  return strangers;
}

}  // namespace assay
