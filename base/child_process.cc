#include "base/child_process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "base/posix.h"

namespace assay {
namespace {

constexpr absl::Duration kDestructorGrace = absl::Seconds(2);

// posix_spawn's settings, freed at the end.
class SpawnSettings {
 public:
  explicit SpawnSettings(const std::string& output_path) {
    posix_spawn_file_actions_init(&actions_);
    posix_spawnattr_init(&attributes_);
    const char* output =
        output_path.empty() ? "/dev/null" : output_path.c_str();
    posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null",
                                     O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions_, STDOUT_FILENO, output,
                                     O_WRONLY | O_CREAT | O_APPEND, 0644);
    posix_spawn_file_actions_adddup2(&actions_, STDOUT_FILENO, STDERR_FILENO);
    // What this program blocks or ignores is its own affair, and a terminal's
    // Ctrl-C is for it alone: it stops the child in its own way.
    sigset_t none;
    sigset_t all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_setsigmask(&attributes_, &none);
    posix_spawnattr_setsigdefault(&attributes_, &all);
    posix_spawnattr_setpgroup(&attributes_, 0);
    posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSIGMASK |
                                               POSIX_SPAWN_SETSIGDEF |
                                               POSIX_SPAWN_SETPGROUP);
  }
  ~SpawnSettings() {
    posix_spawn_file_actions_destroy(&actions_);
    posix_spawnattr_destroy(&attributes_);
  }
  SpawnSettings(const SpawnSettings&) = delete;
  SpawnSettings& operator=(const SpawnSettings&) = delete;

  const posix_spawn_file_actions_t* actions() const { return &actions_; }
  const posix_spawnattr_t* attributes() const { return &attributes_; }

 private:
  posix_spawn_file_actions_t actions_;
  posix_spawnattr_t attributes_;
};

// Milliseconds until the deadline, rounded up, within what poll takes.
int PollTimeout(absl::Time deadline) {
  const absl::Duration left =
      absl::Ceil(std::max(absl::ZeroDuration(), deadline - absl::Now()),
                 absl::Milliseconds(1));
  return static_cast<int>(
      std::min<int64_t>(absl::ToInt64Milliseconds(left), 60'000));
}

}  // namespace

ChildProcess::ChildProcess(pid_t pid, UniqueFd pidfd)
    : pid_(pid), pidfd_(std::move(pidfd)) {}

ChildProcess::ChildProcess(ChildProcess&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)),
      pidfd_(std::move(other.pidfd_)),
      wait_status_(other.wait_status_) {}

ChildProcess& ChildProcess::operator=(ChildProcess&& other) noexcept {
  if (this == &other) return *this;
  Stop(kDestructorGrace);
  pid_ = std::exchange(other.pid_, -1);
  pidfd_ = std::move(other.pidfd_);
  wait_status_ = other.wait_status_;
  return *this;
}

ChildProcess::~ChildProcess() { Stop(kDestructorGrace); }

absl::StatusOr<ChildProcess> ChildProcess::Start(const Options& options) {
  if (options.argv.empty()) {
    return absl::InvalidArgumentError("no program to start");
  }
  std::vector<char*> argv;
  argv.reserve(options.argv.size() + 1);
  for (const std::string& argument : options.argv) {
    argv.push_back(const_cast<char*>(argument.c_str()));
  }
  argv.push_back(nullptr);
  const SpawnSettings settings(options.output_path);
  pid_t pid = -1;
  const int error = posix_spawn(&pid, argv[0], settings.actions(),
                                settings.attributes(), argv.data(), environ);
  if (error != 0) {
    return PosixError(absl::StrCat("starting ", options.argv[0]), error);
  }
  // The pid cannot be another's: the child has not been reaped.
  UniqueFd pidfd(static_cast<int>(syscall(SYS_pidfd_open, pid, 0)));
  ChildProcess child(pid, std::move(pidfd));
  if (!child.pidfd_.valid()) {
    const int pidfd_error = errno;
    kill(-pid, SIGKILL);
    return PosixError("pidfd_open", pidfd_error);
  }
  return child;
}

std::optional<int> ChildProcess::Wait(absl::Duration timeout) {
  if (pid_ < 0 || wait_status_.has_value()) return wait_status_;
  pollfd ended = {pidfd_.get(), POLLIN, 0};
  const absl::Time deadline = absl::Now() + timeout;
  while (poll(&ended, 1, PollTimeout(deadline)) <= 0) {
    if (absl::Now() >= deadline) return std::nullopt;
  }
  // While the child is not reaped the group's number is its own: what it left
  // behind can be killed and nobody else.
  kill(-pid_, SIGKILL);
  int status = 0;
  while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  wait_status_ = status;
  return wait_status_;
}

int ChildProcess::Stop(absl::Duration grace) {
  if (pid_ < 0) return 0;
  if (!wait_status_.has_value()) {
    kill(pid_, SIGTERM);
    if (!Wait(grace).has_value()) {
      kill(-pid_, SIGKILL);
      Wait(absl::InfiniteDuration());
    }
  }
  return wait_status_.value_or(0);
}

std::string DescribeWaitStatus(int wait_status) {
  if (WIFSIGNALED(wait_status)) {
    const int number = WTERMSIG(wait_status);
    return absl::StrCat("killed by signal ", number, " (", strsignal(number),
                        ")");
  }
  return absl::StrCat("exit code ", WEXITSTATUS(wait_status));
}

}  // namespace assay
