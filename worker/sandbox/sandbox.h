// Confines processes that run code of strangers: bubblewrap with fresh user,
// pid, network, ipc, uts and cgroup namespaces, a read-only root that holds the
// system's programs and libraries and what the profile names, private /tmp and
// /dev/shm, an environment that is given, and a
// filter of system calls.
//
//   ASSAY_ASSIGN_OR_RETURN(
//       Sandbox sandbox, Sandbox::Create(SandboxMode::kStrict, launcher, {}));
//   SandboxProfile profile;
//   profile.writable_paths = {build_folder};
//   profile.environment = {"PATH=/usr/bin:/bin"};
//   ASSAY_ASSIGN_OR_RETURN(
//       SandboxRun run, sandbox.Run(launcher, profile, {"/usr/bin/g++", "-v"},
//                                   absl::Minutes(1)));

#ifndef ASSAY_WORKER_SANDBOX_SANDBOX_H_
#define ASSAY_WORKER_SANDBOX_SANDBOX_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "worker/launcher/launcher.h"
#include "worker/launcher/spawn_options.h"
#include "worker/log_capture.h"
#include "worker/sandbox/control_group.h"
#include "worker/sandbox/process_watch.h"
#include "worker/sandbox/sandbox_profile.h"

namespace assay {

enum class SandboxMode {
  // No sandbox, no worker.
  kStrict,
  // A sandbox when the host can give one; else none, which is said.
  kBestEffort,
  // None: for trusted solutions and for debugging.
  kOff,
};

struct SandboxOptions {
  // Looked up in PATH when it has no slash.
  std::string bubblewrap = "bwrap";
  // Folders that no process may see, such as the worker's state: empty ones
  // appear in their place. NOT_FOUND from Create when one does not exist.
  std::vector<std::string> hidden_paths;
  // What a program and all that it starts may take together; 0: no limit.
  int64_t memory_bytes = 0;
  // Processes and threads at a time.
  int processes = 512;
  // Processor time of all of them together; 0: no limit.
  absl::Duration cpu_time;
  // The first of three user ids that nobody else has, for compilers, references
  // and solutions; 0: they run as the worker's user. Takes a worker that is
  // root, and `enter_path`; where there is no user namespace with two users,
  // they run as the worker's user.
  uint32_t first_user_id = 0;
  // Where it is possible, each program is in a control group of its own; null:
  // it is not, and `no_groups` says why, for people.
  std::shared_ptr<ControlGroups> groups;
  std::string no_groups;
  // How many processors' time one may take; 0: no limit. Takes `groups`.
  double cpus = 0;
  // Path of the program assay-enter, the first process of each sandbox, which
  // those inside cannot look into. Without it bubblewrap's own is, which they
  // can, and the kernel does not bound processes.
  std::string enter_path;
};

// How a program ended that was run to its end.
struct SandboxRun {
  // True: killed because its time was over; `exit` says nothing then.
  bool timed_out = false;
  ExitStatus exit;
  // Why it was killed, when it took more than it may, to follow "it was stopped
  // because it": "used more than 64 MiB of memory, which is the limit".
  std::string limit_hit;
  // What it printed, see LogCapture.
  std::string log;
};

// Immutable; thread-safe.
class Sandbox {
 public:
  // Tries bubblewrap once. In kStrict mode FAILED_PRECONDITION with the reason
  // and the remedy when it does not work here.
  static absl::StatusOr<Sandbox> Create(SandboxMode mode, Launcher& launcher,
                                        const SandboxOptions& options);

  // How to start `command` (absolute path first) confined. The caller adds the
  // descriptors; they reach the program under the same numbers.
  SpawnOptions Wrap(const SandboxProfile& profile,
                    const std::vector<std::string>& command) const;

  // Runs `command` confined and without input until it ends or `timeout`
  // passes; nothing that it started is left then. UNAVAILABLE when the sandbox
  // could not be set up: that is no fault of the command. CANCELLED soon after
  // `is_off`, asked now and then when there is one, is true.
  absl::StatusOr<SandboxRun> Run(
      Launcher& launcher, SandboxProfile profile,
      const std::vector<std::string>& command, absl::Duration timeout,
      const std::function<bool()>& is_off = nullptr) const;

  // A control group with the limits of the options; null where there are none.
  absl::StatusOr<std::shared_ptr<ControlGroup>> NewGroup() const;

  // Holds a program that was started with Wrap to the limits of the options.
  // `log` takes its output; it is a member of `group`, if there is one. The
  // result must not outlive the program for long.
  std::shared_ptr<WatchedProcess> Watch(
      const Process& process, std::shared_ptr<LogCapture> log,
      std::shared_ptr<ControlGroup> group) const;

  // The same for a descendant of such a program, `root`, which is spared: it
  // ends those that it started.
  std::shared_ptr<WatchedProcess> WatchBelow(
      pid_t root, std::shared_ptr<LogCapture> log,
      std::shared_ptr<ControlGroup> group) const;

  // How a program started with Wrap ended, for people: "exit code 1" or
  // "killed by signal 11 (segmentation fault)".
  std::string DescribeExit(const ExitStatus& exit) const;

  // What is between a program and the machine, in words that stay the same:
  // "none", or "bubblewrap, seccomp", with ", users" where programs have users
  // of their own, ", cgroup" where the kernel limits memory and processes, and
  // "; not held: " and the leaks that were set. Goes into evaluations.
  std::string description() const;

  bool confines() const { return !bubblewrap_.empty(); }

  // What a test found that programs can do although they must not. Before the
  // sandbox is shared with other threads.
  void set_leaks(std::vector<std::string> leaks) { leaks_ = std::move(leaks); }

  // What this machine or the way that the worker was started does not give,
  // each with its effect; for people.
  std::vector<std::string> Missing() const;

  // Why there is no sandbox although one was asked for; else empty.
  const std::string& warning() const { return warning_; }

 private:
  Sandbox() = default;

  // How the sandbox starts programs as users of their own.
  void AddUser(SandboxProfile& profile, SpawnOptions& options) const;
  void BoundProcesses(SandboxProfile& profile) const;
  void BoundCpuTime(SandboxProfile& profile) const;
  // Gives the writable paths to the user.
  absl::Status GiveAway(const SandboxProfile& profile) const;
  WatchLimits LimitsFor(std::shared_ptr<LogCapture> log,
                        std::shared_ptr<ControlGroup> group) const;

  // Empty: no sandbox.
  std::string bubblewrap_;
  std::vector<std::string> hidden_paths_;
  // Compiled, see seccomp_filter.h.
  std::string program_filter_;
  std::string gpu_program_filter_;
  std::string zygote_filter_;
  std::shared_ptr<ProcessWatch> watch_;
  int64_t memory_bytes_ = 0;
  int processes_ = 0;
  absl::Duration cpu_time_;
  std::shared_ptr<ControlGroups> groups_;
  std::string no_groups_;
  double cpus_ = 0;
  // 0: no users of their own.
  uint32_t first_user_id_ = 0;
  std::string enter_path_;
  bool bounds_processes_ = false;
  std::string warning_;
  std::vector<std::string> leaks_;
};

}  // namespace assay

#endif  // ASSAY_WORKER_SANDBOX_SANDBOX_H_
