#include "worker/runner/native_runner.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "base/fd.h"
#include "base/seqpacket.h"
#include "base/status_macros.h"
#include "worker/log_capture.h"
#include "worker/runner/runner_process.h"
#include "worker/sandbox/control_group.h"

namespace assay {
namespace {

constexpr int kControlFd = 3;

// What is left of a killed sandbox is gone within this time.
constexpr absl::Duration kReapTime = absl::Seconds(5);

// Kills by killing the sandbox's first process: its namespace goes with it.
class NativeProcess final : public RunnerProcess {
 public:
  NativeProcess(std::unique_ptr<Process> process,
                std::shared_ptr<LogCapture> log, const Sandbox& sandbox,
                std::shared_ptr<ControlGroup> group)
      : group_(std::move(group)),
        process_(std::move(process)),
        log_(std::move(log)),
        sandbox_(sandbox),
        watched_(sandbox.Watch(*process_, log_, group_)) {}

  void Kill() override {
    process_->Kill();
    if (group_ != nullptr) group_->Kill();
  }

  absl::StatusOr<std::string> WaitAndDescribe(absl::Duration timeout) override {
    const absl::StatusOr<ExitStatus> exit = process_->Wait(timeout);
    if (exit.ok()) {
      const std::string limit = watched_->limit_hit();
      if (!limit.empty()) return absl::StrCat(kStoppedBecauseIt, limit);
      return sandbox_.DescribeExit(*exit);
    }
    if (absl::IsDeadlineExceeded(exit.status())) return "";
    return exit.status();
  }

  // Without a sandbox it is the launcher.
  bool HasOwnParent() const override {
    return sandbox_.description() != "none";
  }

  void SetGivenMemory(int64_t bytes) override {
    watched_->set_given_bytes(bytes);
  }

  std::string DrainLog() override { return log_->Drain(); }

  std::string TakeLog() override {
    Kill();
    process_->Wait(kReapTime).IgnoreError();
    return log_->Finish();
  }

 private:
  // Null where there are none.
  const std::shared_ptr<ControlGroup> group_;
  const std::unique_ptr<Process> process_;
  const std::shared_ptr<LogCapture> log_;
  const Sandbox sandbox_;
  const std::shared_ptr<WatchedProcess> watched_;
};

SandboxProfile Profile(const NativeRunnerOptions& options) {
  SandboxProfile profile;
  profile.readable_paths = options.readable_paths;
  profile.device_paths = options.device_paths;
  profile.user = SandboxUser::kSolution;
  profile.limits.cpus = options.cpus;
  profile.limits.open_files = kMaxOpenFiles;
  profile.limits.file_bytes = kMaxFileBytes;
  profile.readable_paths.push_back(options.runner_path);
  profile.environment = {"PATH=/usr/bin:/bin", "HOME=/tmp", "LANG=C.UTF-8"};
  profile.environment.insert(profile.environment.end(), options.env.begin(),
                             options.env.end());
  return profile;
}

}  // namespace

absl::StatusOr<std::unique_ptr<RunnerSession>> StartNativeRunner(
    Launcher& launcher, const Sandbox& sandbox,
    const NativeRunnerOptions& options) {
  ASSAY_ASSIGN_OR_RETURN(auto ends, SeqPacketSocket::Pair());
  ASSAY_ASSIGN_OR_RETURN(std::unique_ptr<LogCapture> log, LogCapture::Start());
  SpawnOptions spawn = sandbox.Wrap(Profile(options), {options.runner_path});
  spawn.fds = {{log->write_fd(), 1},
               {log->write_fd(), 2},
               {ends.second.fd(), kControlFd}};
  ASSAY_ASSIGN_OR_RETURN(std::shared_ptr<ControlGroup> group,
                         sandbox.NewGroup());
  UniqueFd members;
  if (group != nullptr) {
    ASSAY_ASSIGN_OR_RETURN(members, group->OpenMembers());
    spawn.control_group = members.get();
  }
  ASSAY_ASSIGN_OR_RETURN(std::unique_ptr<Process> process,
                         launcher.Spawn(spawn));
  // The runner's end lives in the runner alone, so that its death is noticed.
  ends.second.ReleaseFd();
  return RunnerSession::Connect(
      std::move(ends.first),
      std::make_unique<NativeProcess>(std::move(process), std::move(log),
                                      sandbox, std::move(group)),
      options.start_timeout);
}

}  // namespace assay
