#include "worker/launcher/launcher.h"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "base/fd.h"
#include "base/log.h"
#include "base/posix.h"
#include "base/seqpacket.h"
#include "base/status_macros.h"
#include "worker/launcher/launcher_channel.h"

namespace assay {
namespace {

// Long enough for any process that can die at all to do so.
constexpr absl::Duration kKillTimeout = absl::Seconds(10);

// Where the launcher finds its socket.
constexpr int kControlFd = 3;

// posix_spawn_file_actions_t and posix_spawnattr_t with destructors.
struct SpawnAttributes {
  SpawnAttributes() {
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
  }
  ~SpawnAttributes() {
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
  }
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
};

// The launcher gets a process group of its own, so that Ctrl-C reaches the
// worker alone and the worker can finish what it began.
absl::StatusOr<pid_t> StartProgram(const std::string& path, int control) {
  SpawnAttributes spawn;
  posix_spawnattr_setflags(&spawn.attributes, POSIX_SPAWN_SETPGROUP);
  posix_spawn_file_actions_adddup2(&spawn.actions, control, kControlFd);
  char* argv[] = {const_cast<char*>(path.c_str()), nullptr};
  char* env[] = {nullptr};
  pid_t pid = 0;
  const int error = posix_spawn(&pid, path.c_str(), &spawn.actions,
                                &spawn.attributes, argv, env);
  if (error != 0) {
    return PosixError(absl::StrCat("starting the launcher \"", path, "\""),
                      error);
  }
  return pid;
}

absl::Status CheckOptions(const SpawnOptions& options) {
  if (options.argv.empty() || !absl::StartsWith(options.argv[0], "/")) {
    return absl::InvalidArgumentError(
        absl::StrCat("a program needs an absolute path, not \"",
                     options.argv.empty() ? "" : options.argv[0], "\""));
  }
  const size_t fds = options.fds.size() + (options.control_group ? 1 : 0);
  if (fds > SeqPacketSocket::kMaxFds) {
    return absl::InvalidArgumentError(
        absl::StrCat("a program can be given ", SeqPacketSocket::kMaxFds,
                     " descriptors at its start, not ", fds));
  }
  return absl::OkStatus();
}

}  // namespace

Process::Process(std::shared_ptr<LauncherChannel> channel, uint64_t id,
                 pid_t pid)
    : channel_(std::move(channel)), id_(id), pid_(pid) {}

Process::~Process() {
  if (absl::IsDeadlineExceeded(Wait(absl::ZeroDuration()).status())) {
    Kill();
    if (absl::IsDeadlineExceeded(Wait(kKillTimeout).status())) {
      LogError("a killed process does not end", {{"pid", pid_}});
    }
  }
  channel_->Forget(id_);
}

void Process::Kill() { channel_->Kill(id_); }

absl::StatusOr<ExitStatus> Process::Wait(absl::Duration timeout) {
  return channel_->Wait(id_, timeout);
}

absl::StatusOr<std::unique_ptr<Launcher>> Launcher::Start(
    const std::string& launcher_path) {
  ASSAY_ASSIGN_OR_RETURN(auto sockets, SeqPacketSocket::Pair());
  ASSAY_ASSIGN_OR_RETURN(const pid_t pid,
                         StartProgram(launcher_path, sockets.second.fd()));
  auto channel = std::make_shared<LauncherChannel>(std::move(sockets.first));
  return std::unique_ptr<Launcher>(new Launcher(std::move(channel), pid));
}

Launcher::Launcher(std::shared_ptr<LauncherChannel> channel, pid_t pid)
    : channel_(std::move(channel)),
      pid_(pid),
      reader_([channel = channel_] { channel->ReadReplies(); }) {}

Launcher::~Launcher() {
  channel_->Disconnect();
  reader_.join();
  // It kills and reaps its processes before it ends.
  while (waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

absl::StatusOr<std::unique_ptr<Process>> Launcher::Spawn(
    const SpawnOptions& options) {
  ASSAY_RETURN_IF_ERROR(CheckOptions(options));
  ASSAY_ASSIGN_OR_RETURN(const LauncherChannel::Started started,
                         channel_->Spawn(options));
  return std::unique_ptr<Process>(
      new Process(channel_, started.id, started.pid));
}

}  // namespace assay
