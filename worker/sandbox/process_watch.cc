#include "worker/sandbox/process_watch.h"

#include <signal.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "absl/memory/memory.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "base/log.h"
#include "worker/proc_stat.h"
#include "worker/sandbox/folder_size.h"
#include "worker/sandbox/limit_words.h"
#include "worker/sandbox/memory_use.h"
#include "worker/sandbox/process_tree.h"

namespace assay {
namespace {

// What a process can take within this time is what a limit is exceeded by.
constexpr absl::Duration kPeriod = absl::Milliseconds(100);

// 0 when there is no such process.
int64_t StartTime(pid_t pid) {
  const std::optional<ProcStat> stat = StatOf(pid);
  return stat.has_value() ? stat->start_time : 0;
}

bool UsesTooMuchMemory(pid_t root, const ProcessTree& tree, int64_t given,
                       int64_t limit) {
  std::vector<pid_t> pids = {root};
  pids.insert(pids.end(), tree.descendants.begin(), tree.descendants.end());
  const int64_t in_files = MemoryInFiles(pids);
  return MemoryUse(pids, in_files, given, Precision::kFast) > limit &&
         MemoryUse(pids, in_files, given, Precision::kExact) > limit;
}

absl::Duration CpuTimeOf(pid_t root, const ProcessTree& tree) {
  absl::Duration time;
  const auto add = [&time](pid_t pid) {
    const std::optional<ProcStat> stat = StatOf(pid);
    if (stat.has_value()) time += stat->cpu_time + stat->children_cpu_time;
  };
  add(root);
  for (const pid_t pid : tree.descendants) add(pid);
  return time;
}

// What the tree takes beyond its limits, for people; empty when nothing.
std::string Excess(pid_t root, const WatchLimits& limits,
                   const ProcessTree& tree, int64_t given_bytes) {
  if (limits.kernel_limit_hit) {
    std::string hit = limits.kernel_limit_hit();
    if (!hit.empty()) return hit;
  }
  if (limits.processes > 0 && tree.threads > limits.processes) {
    return ProcessLimitHit(limits.processes);
  }
  if (limits.printed_bytes > 0 && limits.printed() > limits.printed_bytes) {
    return absl::StrCat("printed more than ", limits.printed_bytes >> 20,
                        " MiB, which is the limit");
  }
  if (limits.memory_bytes > 0 &&
      UsesTooMuchMemory(root, tree, given_bytes, limits.memory_bytes)) {
    return MemoryLimitHit(limits.memory_bytes);
  }
  if (limits.cpu_time > absl::ZeroDuration() &&
      CpuTimeOf(root, tree) > limits.cpu_time) {
    return absl::StrCat("used more than ",
                        absl::FormatDuration(limits.cpu_time),
                        " of processor time, which is the limit");
  }
  if (limits.folder_bytes > 0 &&
      FolderSize(limits.folder) > limits.folder_bytes) {
    return absl::StrCat("wrote more than ", limits.folder_bytes >> 20,
                        " MiB to the disk, which is the limit");
  }
  return "";
}

}  // namespace

WatchedProcess::WatchedProcess(pid_t root, WatchLimits limits)
    : root_(root), started_(StartTime(root)), limits_(std::move(limits)) {}

std::string WatchedProcess::limit_hit() const {
  {
    absl::MutexLock lock(&mutex_);
    if (!limit_hit_.empty()) return limit_hit_;
  }
  // It may have ended before anybody looked.
  return limits_.kernel_limit_hit ? limits_.kernel_limit_hit() : "";
}

void WatchedProcess::Check() {
  const int most = limits_.processes > 0 ? limits_.processes
                                         : std::numeric_limits<int>::max();
  const ProcessTree tree = FindProcessTree(root_, most);
  if (StartTime(root_) != started_) return;
  const std::string excess = Excess(root_, limits_, tree, given_bytes_);
  if (excess.empty()) return;
  {
    absl::MutexLock lock(&mutex_);
    if (limit_hit_.empty()) {
      LogInfo("stopping a confined process", {{"because it", excess}});
      limit_hit_ = excess;
    }
  }
  // First, lest it sees its children end and ends of itself, as if by choice.
  if (!limits_.spares_root) kill(root_, SIGKILL);
  // Among the first is the first process of a pid namespace: all in it go.
  for (const pid_t pid : tree.descendants) kill(pid, SIGKILL);
}

ProcessWatch::ProcessWatch() : thread_([this] { Loop(); }) {}

ProcessWatch::~ProcessWatch() {
  {
    absl::MutexLock lock(&mutex_);
    stop_ = true;
  }
  thread_.join();
}

std::shared_ptr<WatchedProcess> ProcessWatch::Watch(pid_t root,
                                                    WatchLimits limits) {
  auto watched = absl::WrapUnique(new WatchedProcess(root, std::move(limits)));
  std::shared_ptr<WatchedProcess> shared = std::move(watched);
  absl::MutexLock lock(&mutex_);
  watched_.push_back(shared);
  return shared;
}

void ProcessWatch::Loop() {
  absl::MutexLock lock(&mutex_);
  while (!stop_) {
    // Without anything to watch, sleep until there is.
    const auto wake = [this]() ABSL_SHARED_LOCKS_REQUIRED(mutex_) {
      return stop_ || !watched_.empty();
    };
    mutex_.Await(absl::Condition(&wake));
    for (size_t i = 0; i < watched_.size();) {
      const std::shared_ptr<WatchedProcess> watched = watched_[i].lock();
      if (watched == nullptr) {
        watched_.erase(watched_.begin() + static_cast<ptrdiff_t>(i));
        continue;
      }
      mutex_.Unlock();
      watched->Check();
      mutex_.Lock();
      ++i;
    }
    mutex_.AwaitWithTimeout(absl::Condition(&stop_), kPeriod);
  }
}

}  // namespace assay
