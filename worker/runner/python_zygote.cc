#include "worker/runner/python_zygote.h"

#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/seqpacket.h"
#include "base/status_macros.h"
#include "worker/launcher/spawn_options.h"
#include "worker/log_capture.h"
#include "worker/runner/runner_process.h"
#include "worker/runner/zygote_connection.h"
#include "worker/sandbox/control_group.h"
#include "worker/sandbox/process_tree.h"

namespace assay {
namespace {

constexpr int kControlFd = 3;

// A zygote that has not ended a child within this time is itself ended, and
// with it all its children. GPUs take long to give much memory back.
constexpr absl::Duration kEndTime = absl::Seconds(30);

// A child of the zygote.
class ZygoteChild final : public RunnerProcess {
 public:
  ZygoteChild(std::shared_ptr<ZygoteConnection> zygote, uint64_t id,
              std::shared_ptr<LogCapture> log, const Sandbox& sandbox,
              std::shared_ptr<ControlGroup> group)
      : group_(std::move(group)),
        zygote_(std::move(zygote)),
        id_(id),
        log_(std::move(log)),
        watched_(sandbox.WatchBelow(zygote_->ProcessId(id), log_, group_)) {}

  ~ZygoteChild() override {
    End();
    zygote_->Forget(id_);
  }

  void Kill() override { zygote_->Kill(id_); }

  absl::StatusOr<std::string> WaitAndDescribe(absl::Duration timeout) override {
    ASSAY_ASSIGN_OR_RETURN(const std::optional<int> wait_status,
                           zygote_->Wait(id_, timeout));
    if (!wait_status.has_value()) return "";
    const std::string limit = watched_->limit_hit();
    if (!limit.empty()) return absl::StrCat(kStoppedBecauseIt, limit);
    ExitStatus exit;
    exit.wait_status = *wait_status;
    return exit.Describe();
  }

  // Its supervisor, or the init of its namespace.
  bool HasOwnParent() const override { return true; }

  void SetGivenMemory(int64_t bytes) override {
    watched_->set_given_bytes(bytes);
  }

  std::string DrainLog() override { return log_->Drain(); }

  std::string TakeLog() override {
    End();
    return log_->Finish();
  }

 private:
  void End() {
    Kill();
    const auto wait_status = zygote_->Wait(id_, kEndTime);
    if (wait_status.ok() && !wait_status->has_value()) zygote_->GiveUp(id_);
  }

  // Null where there are none.
  const std::shared_ptr<ControlGroup> group_;
  const std::shared_ptr<ZygoteConnection> zygote_;
  const uint64_t id_;
  const std::shared_ptr<LogCapture> log_;
  const std::shared_ptr<WatchedProcess> watched_;
};

SandboxProfile Profile(const PythonZygoteOptions& options) {
  SandboxProfile profile;
  profile.readable_paths = options.readable_paths;
  profile.device_paths = options.device_paths;
  profile.user = options.user;
  profile.limits.cpus = options.cpus;
  profile.limits.open_files = kMaxOpenFiles;
  profile.limits.file_bytes = kMaxFileBytes;
  profile.filter = SeccompKind::kZygote;
  profile.readable_paths.push_back(options.package_dir);
  profile.readable_paths.push_back(options.harness_path);
  profile.environment = {"PATH=/usr/bin:/bin", "HOME=/tmp", "LANG=C.UTF-8"};
  // torch.compile would else keep a pool of processes that compile: solutions
  // may leave no process running after a call.
  profile.environment.emplace_back("TORCHINDUCTOR_COMPILE_THREADS=1");
  if (options.torch_threads > 0) {
    profile.environment.push_back(
        absl::StrCat("ASSAY_TORCH_THREADS=", options.torch_threads));
  }
  if (!options.isolate_children) {
    profile.environment.emplace_back("ASSAY_ISOLATE_CHILDREN=0");
  }
  profile.environment.insert(profile.environment.end(), options.env.begin(),
                             options.env.end());
  return profile;
}

// python3 FOLDER HARNESS [KEEP...]; see python/__main__.py.
std::vector<std::string> Command(const PythonZygoteOptions& options,
                                 const SandboxProfile& profile) {
  // No byte code beside our files, no packages from a home folder.
  std::vector<std::string> command = {options.python_path, "-B", "-s",
                                      options.package_dir,
                                      options.harness_path};
  for (const std::string& path : profile.readable_paths) {
    if (absl::StartsWith(path, "/tmp/")) command.push_back(path);
  }
  return command;
}

absl::StatusOr<std::shared_ptr<ZygoteConnection>> Launch(
    Launcher& launcher, const Sandbox& sandbox,
    const PythonZygoteOptions& options) {
  ASSAY_ASSIGN_OR_RETURN(auto ends, SeqPacketSocket::Pair());
  ASSAY_ASSIGN_OR_RETURN(std::unique_ptr<LogCapture> log, LogCapture::Start());
  const SandboxProfile profile = Profile(options);
  SpawnOptions spawn = sandbox.Wrap(profile, Command(options, profile));
  spawn.fds = {{log->write_fd(), 1},
               {log->write_fd(), 2},
               {ends.second.fd(), kControlFd}};
  ASSAY_ASSIGN_OR_RETURN(std::unique_ptr<Process> process,
                         launcher.Spawn(spawn));
  // The zygote's end lives in the zygote alone, so that its death is noticed.
  ends.second.ReleaseFd();
  return ZygoteConnection::Connect(std::move(ends.first), std::move(process),
                                   std::move(log), options.start_timeout);
}

}  // namespace

PythonZygote::PythonZygote(Launcher& launcher, const Sandbox& sandbox,
                           PythonZygoteOptions options)
    : launcher_(launcher),
      sandbox_(sandbox),
      options_(std::move(options)),
      restart_limit_(options_.max_restarts, options_.restart_window,
                     Clock::Real()) {}

PythonZygote::~PythonZygote() { Kill(); }

void PythonZygote::Kill() {
  absl::MutexLock lock(&mutex_);
  if (connection_ != nullptr) connection_->KillAll();
}

absl::StatusOr<std::unique_ptr<PythonZygote>> PythonZygote::Start(
    Launcher& launcher, const Sandbox& sandbox, PythonZygoteOptions options) {
  std::unique_ptr<PythonZygote> zygote(
      new PythonZygote(launcher, sandbox, std::move(options)));
  absl::MutexLock lock(&zygote->mutex_);
  ASSAY_ASSIGN_OR_RETURN(zygote->connection_,
                         Launch(launcher, sandbox, zygote->options_));
  return zygote;
}

absl::StatusOr<std::shared_ptr<ZygoteConnection>> PythonZygote::Connection() {
  absl::MutexLock lock(&mutex_);
  if (connection_ != nullptr && connection_->alive()) return connection_;
  if (!restart_limit_.Allow()) {
    return absl::UnavailableError(absl::StrCat(
        "the Python zygote has died and was already started again ",
        options_.max_restarts, " times within ",
        absl::FormatDuration(options_.restart_window),
        "; see what it printed in the worker's log, and try again later"));
  }
  LogWarning("python zygote died, starting it again",
             {{"printed", connection_ != nullptr ? connection_->Log() : ""}});
  connection_.reset();
  ASSAY_ASSIGN_OR_RETURN(connection_, Launch(launcher_, sandbox_, options_));
  return connection_;
}

absl::StatusOr<std::unique_ptr<RunnerSession>> PythonZygote::Fork() {
  absl::StatusOr<std::unique_ptr<RunnerSession>> session = ForkOnce();
  // A zygote that dies on the way is replaced; a second time is no accident.
  if (absl::IsUnavailable(session.status())) session = ForkOnce();
  return session;
}

absl::StatusOr<std::unique_ptr<RunnerSession>> PythonZygote::ForkOnce() {
  ASSAY_ASSIGN_OR_RETURN(const std::shared_ptr<ZygoteConnection> connection,
                         Connection());
  ASSAY_ASSIGN_OR_RETURN(auto ends, SeqPacketSocket::Pair());
  ASSAY_ASSIGN_OR_RETURN(std::unique_ptr<LogCapture> log, LogCapture::Start());
  const absl::StatusOr<uint64_t> id = connection->Fork(
      ends.second.fd(), log->write_fd(), options_.fork_timeout);
  if (absl::IsDeadlineExceeded(id.status())) connection->KillAll();
  ASSAY_RETURN_IF_ERROR(id.status());
  // The child's end lives in the child alone, so that its death is noticed.
  ends.second.ReleaseFd();
  ASSAY_ASSIGN_OR_RETURN(const std::shared_ptr<ControlGroup> group,
                         sandbox_.NewGroup());
  ASSAY_ASSIGN_OR_RETURN(
      std::unique_ptr<RunnerSession> session,
      RunnerSession::Connect(
          std::move(ends.first),
          std::make_unique<ZygoteChild>(connection, *id, std::move(log),
                                        sandbox_, group),
          options_.fork_timeout));
  if (group == nullptr) return session;
  // Who greets has been forked, and nobody's code has run yet.
  ASSAY_RETURN_IF_ERROR(
      group->Add(ProcessAndDescendants(connection->ProcessId(*id))));
  return session;
}

}  // namespace assay
