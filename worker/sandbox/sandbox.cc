#include "worker/sandbox/sandbox.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/time/clock.h"
#include "base/fd.h"
#include "base/log.h"
#include "base/posix.h"
#include "base/status_macros.h"
#include "worker/log_capture.h"
#include "worker/sandbox/bubblewrap_command.h"
#include "worker/sandbox/process_bound.h"
#include "worker/sandbox/sandbox_remedy.h"

namespace assay {
namespace {

// It takes 5 ms where it works.
constexpr absl::Duration kProbeTimeout = absl::Seconds(20);

// How often Run asks whether it is to stop.
constexpr absl::Duration kOffPoll = absl::Milliseconds(100);

// How long a killed process may take to be gone.
constexpr absl::Duration kKillTimeout = absl::Seconds(10);

// Where Run gives bubblewrap its status descriptor.
constexpr int kStatusFd = 10;

// Where bubblewrap finds the filter of system calls.
constexpr int kFilterFd = 11;

// Users and groups that there are inside; libraries ask who they run as.
constexpr int kUsersFd = 12;
constexpr char kUsers[] = "root:x:0:0:root:/:/usr/sbin/nologin\nnobody:x:";
constexpr char kNobody[] = ":nobody:/tmp:/usr/sbin/nologin\n";
constexpr int kGroupsFd = 13;
constexpr char kGroups[] = "root:x:0:\nnogroup:x:";

// Where bubblewrap finds the user namespace.
constexpr int kUserNamespaceFd = 14;

// Where a zygote finds the filter for its children, and how it knows.
constexpr int kChildFilterFd = 4;
constexpr char kChildFilterVariable[] = "ASSAY_CHILD_FILTER_FD=4";

// How many processes a zygote lets each of its children have, in the user
// namespace of the child.
constexpr char kChildProcessesVariable[] = "ASSAY_CHILD_PROCESSES=";

// The same for seconds of processor time, and by how much the kernel's bound is
// above the limit.
constexpr char kChildCpuVariable[] = "ASSAY_CHILD_CPU_SECONDS=";
constexpr absl::Duration kCpuTimeBeyond = absl::Minutes(1);

// What a program may print. Little of it is kept; more would keep the worker
// busy.
constexpr int64_t kMaxPrintedBytes = int64_t{64} << 20;

// Absolute path of a program; empty when there is none.
std::string FindProgram(const std::string& name) {
  if (absl::StrContains(name, '/')) {
    return access(name.c_str(), X_OK) == 0 ? name : "";
  }
  const char* path = std::getenv("PATH");
  for (absl::string_view folder :
       absl::StrSplit(path != nullptr ? path : "/usr/bin:/bin", ':')) {
    std::string candidate = absl::StrCat(folder, "/", name);
    if (absl::StartsWith(folder, "/") && access(candidate.c_str(), X_OK) == 0) {
      return candidate;
    }
  }
  return "";
}

// The folders without symbolic links, which bubblewrap would resolve anew.
absl::StatusOr<std::vector<std::string>> Canonical(
    const std::vector<std::string>& folders) {
  std::vector<std::string> result;
  for (const std::string& folder : folders) {
    std::error_code error;
    const std::filesystem::path path =
        std::filesystem::canonical(folder, error);
    if (error) {
      return PosixError(absl::StrCat("hiding folder \"", folder, "\""),
                        error.value());
    }
    result.push_back(path.string());
  }
  return result;
}

absl::Status Probe(const Sandbox& sandbox, Launcher& launcher) {
  ASSAY_ASSIGN_OR_RETURN(
      const SandboxRun run,
      sandbox.Run(launcher, SandboxProfile(), {"/bin/true"}, kProbeTimeout));
  if (run.timed_out) {
    return absl::UnavailableError(absl::StrCat(
        "bubblewrap did not end within ", absl::FormatDuration(kProbeTimeout)));
  }
  if (run.exit.success()) return absl::OkStatus();
  return absl::UnavailableError(absl::StrCat(
      "bubblewrap failed with ", run.exit.Describe(), ": ", run.log));
}

// Whether bubblewrap got as far as running the program to its end. Its own
// failures have an exit code that programs have, too, but it reports an exit
// code on the descriptor only for a program.
bool ProgramRan(int status_fd) {
  std::string status;
  char buffer[4096];
  for (ssize_t got; (got = read(status_fd, buffer, sizeof(buffer))) != 0;) {
    if (got > 0) {
      status.append(buffer, static_cast<size_t>(got));
    } else if (errno != EINTR) {
      break;
    }
  }
  return absl::StrContains(status, "\"exit-code\"");
}

// As Process::Wait, and CANCELLED soon after `is_off` is true.
absl::StatusOr<ExitStatus> WaitUnlessOff(Process& process,
                                         absl::Duration timeout,
                                         const std::function<bool()>& is_off) {
  if (!is_off) return process.Wait(timeout);
  const absl::Time deadline = absl::Now() + timeout;
  for (;;) {
    if (is_off()) {
      return absl::CancelledError("the work is not wanted any more");
    }
    const absl::Duration left = deadline - absl::Now();
    absl::StatusOr<ExitStatus> exit =
        process.Wait(std::clamp(left, absl::ZeroDuration(), kOffPoll));
    if (!absl::IsDeadlineExceeded(exit.status()) || left <= kOffPoll) {
      return exit;
    }
  }
}

}  // namespace

absl::StatusOr<Sandbox> Sandbox::Create(SandboxMode mode, Launcher& launcher,
                                        const SandboxOptions& options) {
  Sandbox sandbox;
  sandbox.watch_ = std::make_shared<ProcessWatch>();
  sandbox.memory_bytes_ = options.memory_bytes;
  sandbox.processes_ = options.processes;
  sandbox.cpu_time_ = options.cpu_time;
  sandbox.cpus_ = options.cpus;
  if (mode == SandboxMode::kOff) return sandbox;
  sandbox.groups_ = options.groups;
  sandbox.no_groups_ = options.no_groups;
  ASSAY_ASSIGN_OR_RETURN(sandbox.hidden_paths_,
                         Canonical(options.hidden_paths));
  ASSAY_ASSIGN_OR_RETURN(sandbox.program_filter_,
                         CompileSeccompFilter(SeccompKind::kProgram));
  ASSAY_ASSIGN_OR_RETURN(sandbox.gpu_program_filter_,
                         CompileSeccompFilter(SeccompKind::kGpuProgram));
  ASSAY_ASSIGN_OR_RETURN(sandbox.zygote_filter_,
                         CompileSeccompFilter(SeccompKind::kZygote));
  sandbox.bubblewrap_ = FindProgram(options.bubblewrap);
  const absl::Status status =
      sandbox.bubblewrap_.empty()
          ? absl::NotFoundError(absl::StrCat("there is no program \"",
                                             options.bubblewrap, "\""))
          : Probe(sandbox, launcher);
  if (status.ok()) {
    sandbox.enter_path_ = options.enter_path;
    sandbox.bounds_processes_ = !options.enter_path.empty() &&
                                CanBoundProcesses(geteuid(), KernelRelease());
    if (geteuid() == 0 && options.first_user_id != 0) {
      sandbox.first_user_id_ = options.first_user_id;
      sandbox.bounds_processes_ = true;
      const absl::Status users = Probe(sandbox, launcher);
      if (!users.ok()) {
        sandbox.first_user_id_ = 0;
        sandbox.bounds_processes_ = false;
        LogWarning("confined processes have no users of their own",
                   {{"reason", std::string(users.message())}});
      }
    }
    return sandbox;
  }
  if (mode == SandboxMode::kStrict) {
    return absl::FailedPreconditionError(
        absl::StrCat("the sandbox does not work here: ", status.message(), "; ",
                     SandboxRemedy(status.message())));
  }
  sandbox.bubblewrap_.clear();
  sandbox.warning_ =
      absl::StrCat("solutions run without a sandbox: ", status.message(), "; ",
                   SandboxRemedy(status.message()));
  return sandbox;
}

SpawnOptions Sandbox::Wrap(const SandboxProfile& profile,
                           const std::vector<std::string>& command) const {
  SpawnOptions options;
  SandboxProfile given = profile;
  BoundCpuTime(given);
  options.limits = given.limits;
  if (bubblewrap_.empty()) {
    options.argv = command;
    options.env = given.environment;
    options.working_directory = given.working_directory;
    return options;
  }
  given.filter_fd = kFilterFd;
  given.enter_path = enter_path_;
  const std::string& program_filter =
      profile.device_paths.empty() ? program_filter_ : gpu_program_filter_;
  if (profile.filter == SeccompKind::kZygote) {
    options.data = {{zygote_filter_, kFilterFd},
                    {program_filter, kChildFilterFd}};
    given.environment.emplace_back(kChildFilterVariable);
  } else {
    options.data = {{program_filter, kFilterFd}};
  }
  AddUser(given, options);
  BoundProcesses(given);
  given.users_fd = kUsersFd;
  given.groups_fd = kGroupsFd;
  options.data.emplace_back(
      absl::StrCat(kUsers, given.user_id, ":", given.user_id, kNobody),
      kUsersFd);
  options.data.emplace_back(absl::StrCat(kGroups, given.user_id, ":\n"),
                            kGroupsFd);
  options.argv = BubblewrapCommand(bubblewrap_, hidden_paths_, given, command);
  return options;
}

absl::StatusOr<SandboxRun> Sandbox::Run(
    Launcher& launcher, SandboxProfile profile,
    const std::vector<std::string>& command, absl::Duration timeout,
    const std::function<bool()>& is_off) const {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0) return PosixError("pipe");
  const UniqueFd status_read(ends[0]);
  UniqueFd status_write(ends[1]);
  profile.status_fd = kStatusFd;
  ASSAY_ASSIGN_OR_RETURN(const std::shared_ptr<LogCapture> log,
                         LogCapture::Start());
  ASSAY_RETURN_IF_ERROR(GiveAway(profile));
  SpawnOptions options = Wrap(profile, command);
  options.fds = {{log->write_fd(), STDOUT_FILENO},
                 {log->write_fd(), STDERR_FILENO}};
  if (!bubblewrap_.empty()) {
    options.fds.emplace_back(status_write.get(), kStatusFd);
  }
  ASSAY_ASSIGN_OR_RETURN(const std::shared_ptr<ControlGroup> group, NewGroup());
  UniqueFd members;
  if (group != nullptr) {
    ASSAY_ASSIGN_OR_RETURN(members, group->OpenMembers());
    options.control_group = members.get();
  }
  ASSAY_ASSIGN_OR_RETURN(const auto process, launcher.Spawn(options));
  status_write.Reset();
  WatchLimits limits = LimitsFor(log, group);
  limits.folder = profile.bounded_folder;
  limits.folder_bytes = profile.bounded_folder_bytes;
  const auto watched = watch_->Watch(process->pid(), std::move(limits));

  const absl::StatusOr<ExitStatus> exit =
      WaitUnlessOff(*process, timeout, is_off);
  SandboxRun run;
  if (exit.ok()) {
    run.exit = *exit;
  } else if (absl::IsDeadlineExceeded(exit.status()) ||
             absl::IsCancelled(exit.status())) {
    process->Kill();
    ASSAY_RETURN_IF_ERROR(process->Wait(kKillTimeout).status());
    if (absl::IsCancelled(exit.status())) return exit.status();
    run.timed_out = true;
  } else {
    return exit.status();
  }
  run.log = log->Finish();
  run.limit_hit = watched->limit_hit();
  if (run.limit_hit.empty() && !run.timed_out && !bubblewrap_.empty() &&
      !ProgramRan(status_read.get())) {
    return absl::UnavailableError(
        absl::StrCat("the sandbox was not set up (", run.exit.Describe(),
                     "): ", absl::StripAsciiWhitespace(run.log)));
  }
  return run;
}

void Sandbox::AddUser(SandboxProfile& profile, SpawnOptions& options) const {
  if (first_user_id_ == 0) return;
  profile.user_id = first_user_id_ + static_cast<uint32_t>(profile.user);
  profile.user_namespace_fd = kUserNamespaceFd;
  options.user_namespace = {kUserNamespaceFd, profile.user_id};
}

void Sandbox::BoundProcesses(SandboxProfile& profile) const {
  if (!bounds_processes_) return;
  // Unlike who counts now and then, the kernel stops a process that starts
  // others faster than they can be killed. Beyond the limit, so that who counts
  // can say that it was exceeded.
  const int bound = 2 * processes_;
  if (profile.filter == SeccompKind::kZygote) {
    profile.environment.push_back(absl::StrCat(kChildProcessesVariable, bound));
  } else {
    profile.processes = bound;
  }
}

// Should those that count not be there any more, the kernel ends what goes on;
// each process for itself, and late enough for the others to say why.
void Sandbox::BoundCpuTime(SandboxProfile& profile) const {
  if (cpu_time_ == absl::ZeroDuration()) return;
  const int64_t bound = absl::ToInt64Seconds(cpu_time_ + kCpuTimeBeyond);
  if (profile.filter == SeccompKind::kZygote) {
    profile.environment.push_back(absl::StrCat(kChildCpuVariable, bound));
  } else {
    profile.limits.cpu_seconds = bound;
  }
}

absl::Status Sandbox::GiveAway(const SandboxProfile& profile) const {
  if (first_user_id_ == 0) return absl::OkStatus();
  const uid_t id = first_user_id_ + static_cast<uint32_t>(profile.user);
  const auto give = [id](const std::string& path) {
    return lchown(path.c_str(), id, id) == 0
               ? absl::OkStatus()
               : PosixError(absl::StrCat("giving away \"", path, "\""));
  };
  using Iterator = std::filesystem::recursive_directory_iterator;
  for (const std::string& folder : profile.writable_paths) {
    ASSAY_RETURN_IF_ERROR(give(folder));
    std::error_code error;
    for (Iterator entry(folder, error); !error && entry != Iterator();
         entry.increment(error)) {
      ASSAY_RETURN_IF_ERROR(give(entry->path().string()));
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<std::shared_ptr<ControlGroup>> Sandbox::NewGroup() const {
  if (groups_ == nullptr) return nullptr;
  GroupLimits limits;
  limits.memory_bytes = memory_bytes_;
  limits.processes = processes_;
  limits.cpus = cpus_;
  return groups_->Make(limits);
}

WatchLimits Sandbox::LimitsFor(std::shared_ptr<LogCapture> log,
                               std::shared_ptr<ControlGroup> group) const {
  WatchLimits limits;
  limits.memory_bytes = memory_bytes_;
  limits.processes = processes_;
  limits.cpu_time = cpu_time_;
  limits.printed_bytes = kMaxPrintedBytes;
  limits.printed = [log = std::move(log)] { return log->printed_bytes(); };
  if (group != nullptr) {
    limits.kernel_limit_hit = [group = std::move(group)] {
      return group->LimitHit();
    };
  }
  return limits;
}

std::shared_ptr<WatchedProcess> Sandbox::Watch(
    const Process& process, std::shared_ptr<LogCapture> log,
    std::shared_ptr<ControlGroup> group) const {
  return watch_->Watch(process.pid(),
                       LimitsFor(std::move(log), std::move(group)));
}

std::shared_ptr<WatchedProcess> Sandbox::WatchBelow(
    pid_t root, std::shared_ptr<LogCapture> log,
    std::shared_ptr<ControlGroup> group) const {
  WatchLimits limits = LimitsFor(std::move(log), std::move(group));
  limits.spares_root = true;
  return watch_->Watch(root, std::move(limits));
}

std::string Sandbox::DescribeExit(const ExitStatus& exit) const {
  // Bubblewrap turns the signal that ended the program into an exit code, as
  // shells do.
  constexpr int kSignalBase = 128;
  if (!bubblewrap_.empty() && WIFEXITED(exit.wait_status)) {
    const int signal = WEXITSTATUS(exit.wait_status) - kSignalBase;
    if (signal > 0 && signal < NSIG) return DescribeSignal(signal);
  }
  return exit.Describe();
}

std::string Sandbox::description() const {
  if (!confines()) return "none";
  std::string description = "bubblewrap, seccomp";
  if (first_user_id_ != 0) description += ", users";
  if (groups_ != nullptr) description += ", cgroup";
  if (!leaks_.empty()) {
    absl::StrAppend(&description, "; not held: ", absl::StrJoin(leaks_, ", "));
  }
  return description;
}

std::vector<std::string> Sandbox::Missing() const {
  if (!confines()) {
    return {"a sandbox: solutions can do whatever the worker's user can"};
  }
  std::vector<std::string> missing;
  if (first_user_id_ == 0) {
    missing.push_back(absl::StrCat(
        "users of their own: compilers, references and solutions run as the "
        "worker's user, ",
        getuid(),
        "; what only it may read is kept from them by being invisible alone"));
  }
  if (!bounds_processes_) {
    missing.emplace_back(
        "a bound by the kernel on processes, which takes Linux 5.14 and users "
        "other than root: they are counted ten times a second");
  }
  if (groups_ == nullptr) {
    missing.push_back(absl::StrCat(
        "control groups: ", no_groups_.empty() ? "not asked for" : no_groups_,
        "; memory is counted ten times a second, what the kernel keeps for a "
        "process (pipes, sockets) is not",
        cpus_ > 0 ? ", and --sandbox-cpus has no effect" : ""));
  }
  return missing;
}

}  // namespace assay
