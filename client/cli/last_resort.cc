#include "client/cli/last_resort.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>

#include <filesystem>
#include <system_error>
#include <utility>

namespace assay {
namespace {

// For a killed program to be gone, so that it writes to no folder any more.
constexpr int kEndMilliseconds = 1000;

struct Registry {
  absl::Mutex mutex;
  std::set<LastResort*> all ABSL_GUARDED_BY(mutex);
};

Registry& TheRegistry() {
  static auto* const registry = new Registry;
  return *registry;
}

void KillGroup(pid_t pid, int pidfd) {
  siginfo_t info = {};
  // Once it is reaped the group's number may be another's.
  if (waitid(P_PIDFD, static_cast<id_t>(pidfd), &info,
             WEXITED | WNOHANG | WNOWAIT) != 0) {
    return;
  }
  kill(-pid, SIGKILL);
  pollfd ended = {pidfd, POLLIN, 0};
  poll(&ended, 1, kEndMilliseconds);
}

}  // namespace

LastResort::LastResort() {
  Registry& registry = TheRegistry();
  absl::MutexLock lock(&registry.mutex);
  registry.all.insert(this);
}

LastResort::~LastResort() {
  Registry& registry = TheRegistry();
  absl::MutexLock lock(&registry.mutex);
  registry.all.erase(this);
}

void LastResort::AddProgram(const ChildProcess& child) {
  // A descriptor of its own: the child's closes with the child.
  UniqueFd pidfd(fcntl(child.pidfd(), F_DUPFD_CLOEXEC, 0));
  absl::MutexLock lock(&mutex_);
  programs_.push_back({child.pid(), std::move(pidfd)});
}

void LastResort::AddFolder(const std::string& path) {
  absl::MutexLock lock(&mutex_);
  folders_.insert(path);
}

void LastResort::KeepFolder(const std::string& path) {
  absl::MutexLock lock(&mutex_);
  folders_.erase(path);
}

void LastResort::CarryOutAll() {
  Registry& registry = TheRegistry();
  absl::MutexLock lock(&registry.mutex);
  for (LastResort* one : registry.all) one->CarryOut();
}

void LastResort::CarryOut() {
  absl::MutexLock lock(&mutex_);
  for (const Program& program : programs_) {
    KillGroup(program.pid, program.pidfd.get());
  }
  for (const std::string& folder : folders_) {
    std::error_code ignored;
    std::filesystem::remove_all(folder, ignored);
  }
}

}  // namespace assay
