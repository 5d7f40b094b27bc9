#include "worker/runner/process_census.h"

#include <fcntl.h>

#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "worker/proc_stat.h"

namespace assay {
namespace {

// A process that is over may have had a child that took its place unseen. Only
// when the same ones are over in two looks nothing has changed between the two;
// if something has in so many looks, it will go on.
constexpr int kMostLooks = 5;

}  // namespace

absl::StatusOr<ProcessCensus> ProcessCensus::Of(pid_t pid, bool siblings) {
  const std::optional<ProcStat> stat = StatOf(pid);
  const auto children = ReadProcFile(
      AT_FDCWD, absl::StrCat("/proc/", pid, "/task/", pid, "/children"));
  if (!stat.has_value() || !children.has_value() ||
      (siblings && stat->parent <= 0)) {
    return absl::FailedPreconditionError(absl::StrCat(
        "/proc does not tell about the children of process ", pid,
        "; a kernel with CONFIG_PROC_CHILDREN and a /proc that hides nothing "
        "do"));
  }
  return ProcessCensus(pid, siblings ? stat->parent : pid);
}

std::vector<std::string> ProcessCensus::Others() const {
  Look last;
  for (int looks = 0; looks < kMostLooks; ++looks) {
    Look look = LookOnce();
    if (!look.names.empty()) return std::move(look.names);
    if (!look.has_vanished && look.pids == last.pids) return {};
    last = std::move(look);
  }
  return {"(fleeting)"};
}

absl::Duration ProcessCensus::CpuTimeOfOthers() const {
  return LookOnce().cpu_time;
}

ProcessCensus::Look ProcessCensus::LookOnce() const {
  Look look;
  std::vector<pid_t> found;
  AddChildren(root_, found);
  for (size_t i = 0; i < found.size() && look.names.size() < kMost; ++i) {
    const pid_t pid = found[i];
    if (pid != pid_) {
      look.pids.push_back(pid);
      const std::optional<ProcStat> stat = StatOf(pid);
      if (!stat.has_value()) look.has_vanished = true;
      if (!stat.has_value() || stat->is_over()) continue;
      look.cpu_time += stat->cpu_time + stat->children_cpu_time;
      look.names.push_back(PrintableName(stat->name));
    }
    AddChildren(pid, found);
  }
  return look;
}

}  // namespace assay
