#include "worker/runner/stoppable_process.h"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <string>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/time/clock.h"
#include "base/clock.h"
#include "base/posix.h"
#include "worker/proc_stat.h"

namespace assay {
namespace {

// Most processes stop within that many looks; then it is better to let others
// have the processor.
constexpr int kLooksWithoutSleep = 50;
constexpr absl::Duration kSleep = absl::Microseconds(50);

constexpr absl::Duration kSignalAgain = absl::Milliseconds(10);

// Whether /proc counts processes as this one does.
bool ProcIsOurs() {
  char target[32] = {};
  const ssize_t size = readlink("/proc/self", target, sizeof(target) - 1);
  pid_t pid;
  return size > 0 && absl::SimpleAtoi(target, &pid) && pid == getpid();
}

absl::Status NotStoppable(pid_t pid, absl::string_view why) {
  return absl::FailedPreconditionError(
      absl::StrCat("process ", pid, " cannot be stopped: ", why));
}

}  // namespace

absl::StatusOr<std::unique_ptr<StoppableProcess>> StoppableProcess::Open(
    pid_t pid) {
  if (pid <= 0) {
    return NotStoppable(pid, "its id is not known in this namespace");
  }
  if (pid == getpid()) return NotStoppable(pid, "it is this process");
  if (!ProcIsOurs()) {
    return NotStoppable(pid, "/proc is not of this process's namespace");
  }
  UniqueFd pidfd(static_cast<int>(syscall(SYS_pidfd_open, pid, 0)));
  if (!pidfd.valid()) {
    return NotStoppable(pid, PosixError("pidfd_open").message());
  }
  if (syscall(SYS_pidfd_send_signal, pidfd.get(), 0, nullptr, 0) != 0) {
    return NotStoppable(pid, PosixError("pidfd_send_signal").message());
  }
  const std::string path = absl::StrCat("/proc/", pid, "/task");
  DIR* threads = opendir(path.c_str());
  if (threads == nullptr) return NotStoppable(pid, PosixError(path).message());
  return std::unique_ptr<StoppableProcess>(
      new StoppableProcess(pid, std::move(pidfd), threads));
}

bool StoppableProcess::Signal(int number) const {
  return syscall(SYS_pidfd_send_signal, pidfd_.get(), number, nullptr, 0) == 0;
}

std::vector<pid_t> StoppableProcess::Threads() const {
  std::vector<pid_t> threads;
  rewinddir(threads_.get());
  while (const dirent* entry = readdir(threads_.get())) {
    pid_t thread;
    if (absl::SimpleAtoi(entry->d_name, &thread)) threads.push_back(thread);
  }
  return threads;
}

std::optional<ProcStat> StoppableProcess::StatIfRunning(pid_t thread) const {
  const std::optional<std::string> text =
      ReadProcFile(dirfd(threads_.get()), absl::StrCat(thread, "/stat"));
  if (!text.has_value()) return std::nullopt;
  std::optional<ProcStat> stat = ParseProcStat(*text);
  if (stat.has_value() && absl::StrContains("TtZX", stat->state)) {
    return std::nullopt;
  }
  return stat;
}

bool StoppableProcess::HasStopped() const {
  for (const pid_t thread : Threads()) {
    if (StatIfRunning(thread).has_value()) return false;
  }
  return true;
}

std::string StoppableProcess::Running() const {
  std::vector<std::string> running;
  for (const pid_t thread : Threads()) {
    const std::optional<ProcStat> stat = StatIfRunning(thread);
    if (!stat.has_value()) continue;
    running.push_back(absl::StrFormat("thread %d (%s) in state %c", thread,
                                      PrintableName(stat->name), stat->state));
  }
  return absl::StrJoin(running, ", ");
}

StoppableProcess::Progress StoppableProcess::ReadProgress() const {
  Progress progress;
  for (const pid_t thread : Threads()) {
    const std::optional<std::string> text =
        ReadProcFile(dirfd(threads_.get()), absl::StrCat(thread, "/schedstat"));
    // "<ns on a processor> <ns waiting for one> <times on one>"; kernels
    // without these statistics have no such file, or zeros there.
    ThreadProgress run;
    if (!text.has_value()) continue;
    const std::vector<absl::string_view> fields =
        absl::StrSplit(*text, absl::ByAnyChar(" \n"), absl::SkipEmpty());
    if (fields.size() == 3 && absl::SimpleAtoi(fields[0], &run.ns) &&
        absl::SimpleAtoi(fields[2], &run.times)) {
      progress[thread] = run;
    }
  }
  return progress;
}

bool StoppableProcess::Stop(absl::Duration patience) {
  is_stopped_ = false;
  if (!Signal(SIGSTOP)) return false;
  const absl::Duration start = Clock::Real().Monotonic();
  absl::Duration again = start + kSignalAgain;
  for (int looks = 1; !HasStopped(); ++looks) {
    const absl::Duration now = Clock::Real().Monotonic();
    if (now > start + patience) return false;
    // A timer's signal may have woken it meanwhile.
    if (now > again) {
      Signal(SIGSTOP);
      again = now + kSignalAgain;
    }
    if (looks < kLooksWithoutSleep) {
      sched_yield();
    } else {
      absl::SleepFor(kSleep);
    }
  }
  progress_ = ReadProgress();
  is_stopped_ = true;
  return true;
}

StoppableProcess::Pause StoppableProcess::Continue() {
  Pause pause;
  if (is_stopped_) {
    // A thread may have ended; none may have come or run.
    for (const auto& [thread, now] : ReadProgress()) {
      const auto before = progress_.find(thread);
      const bool is_new = before == progress_.end();
      pause.stood_still &= !is_new && before->second.times == now.times;
      pause.cpu_time +=
          absl::Nanoseconds(now.ns - (is_new ? 0 : before->second.ns));
    }
  }
  is_stopped_ = false;
  Signal(SIGCONT);
  return pause;
}

}  // namespace assay
