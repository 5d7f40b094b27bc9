#include "worker/launcher/supervisor.h"

#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <vector>

#include "base/clock.h"
#include "base/log.h"
#include "base/posix.h"
#include "base/status_macros.h"
#include "worker/launcher/spawn.h"

namespace assay {
namespace {

// How long the end of a process is held back for descendants that do not die,
// and how often they are looked at.
constexpr absl::Duration kStrayTimeout = absl::Seconds(5);
constexpr int kStrayPollMs = 20;

int64_t Microseconds(const timeval& time) {
  return int64_t{time.tv_sec} * 1000000 + time.tv_usec;
}

worker::LaunchReply ExitReply(uint64_t id, int wait_status,
                              const rusage& usage) {
  worker::LaunchReply reply;
  reply.set_id(id);
  worker::Exited& exited = *reply.mutable_exited();
  exited.set_wait_status(wait_status);
  exited.set_user_time_us(Microseconds(usage.ru_utime));
  exited.set_system_time_us(Microseconds(usage.ru_stime));
  exited.set_max_rss_bytes(int64_t{usage.ru_maxrss} * 1024);
  return reply;
}

// A child that has ended and was not reaped yet; 0 when there is none.
pid_t NextEndedChild() {
  siginfo_t info = {};
  while (waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) != 0) {
    if (errno != EINTR) return 0;
  }
  return info.si_pid;
}

// Children of this process. Empty on kernels that do not list them.
std::vector<pid_t> Children() {
  std::ifstream list("/proc/thread-self/children");
  std::vector<pid_t> children;
  for (pid_t pid; list >> pid;) children.push_back(pid);
  return children;
}

}  // namespace

Supervisor::~Supervisor() {
  for (const auto& [pid, id] : processes_) kill(-pid, SIGKILL);
  processes_.clear();
  // A descendant that left its group comes here when its parent dies.
  do {
    KillStrays();
  } while (waitpid(-1, nullptr, 0) > 0 || errno == EINTR);
}

absl::Status Supervisor::Prepare() {
  if (prctl(PR_SET_CHILD_SUBREAPER, 1) != 0) return PosixError("prctl");
  sigset_t child;
  sigemptyset(&child);
  sigaddset(&child, SIGCHLD);
  if (sigprocmask(SIG_BLOCK, &child, nullptr) != 0) {
    return PosixError("sigprocmask");
  }
  child_signal_.Reset(signalfd(-1, &child, SFD_CLOEXEC | SFD_NONBLOCK));
  return child_signal_.valid() ? absl::OkStatus() : PosixError("signalfd");
}

absl::Status Supervisor::Run() {
  ASSAY_RETURN_IF_ERROR(Prepare());
  pollfd pollers[] = {{control_.fd(), POLLIN, 0},
                      {child_signal_.get(), POLLIN, 0}};
  while (true) {
    const int ready = poll(pollers, 2, ended_.empty() ? -1 : kStrayPollMs);
    if (ready < 0 && errno != EINTR) return PosixError("poll");
    signalfd_siginfo signal;
    // Several signals may have become one: all children are looked at below.
    while (read(child_signal_.get(), &signal, sizeof(signal)) > 0) {
    }
    ReapChildren();
    absl::Status status = ReportEnds();
    if (status.ok() && ready > 0 && pollers[0].revents != 0) {
      status = HandleRequest();
    }
    // The worker is gone, which is how this ends.
    if (absl::IsUnavailable(status)) return absl::OkStatus();
    ASSAY_RETURN_IF_ERROR(status);
  }
}

absl::Status Supervisor::HandleRequest() {
  ASSAY_ASSIGN_OR_RETURN(const Packet packet,
                         control_.Receive(absl::InfiniteDuration()));
  worker::LaunchRequest request;
  if (!request.ParseFromString(packet.data)) {
    return absl::InternalError("the worker sent a malformed request");
  }
  switch (request.request_case()) {
    case worker::LaunchRequest::kSpawn:
      return HandleSpawn(request.id(), request.spawn(), packet.fds);
    case worker::LaunchRequest::kKill:
      HandleKill(request.id());
      return absl::OkStatus();
    case worker::LaunchRequest::REQUEST_NOT_SET:
      break;
  }
  return absl::InternalError("the worker sent an empty request");
}

absl::Status Supervisor::HandleSpawn(uint64_t id, const worker::Spawn& spawn,
                                     const std::vector<UniqueFd>& fds) {
  const absl::StatusOr<pid_t> pid = SpawnProgram(spawn, fds);
  worker::LaunchReply reply;
  reply.set_id(id);
  if (pid.ok()) {
    processes_[*pid] = id;
    reply.mutable_spawned()->set_pid(*pid);
  } else {
    reply.mutable_spawn_failed()->set_message(
        std::string(pid.status().message()));
  }
  return control_.Send(reply.SerializeAsString());
}

void Supervisor::HandleKill(uint64_t id) {
  for (const auto& [pid, process_id] : processes_) {
    if (process_id == id) kill(-pid, SIGKILL);
  }
}

void Supervisor::ReapChildren() {
  while (const pid_t pid = NextEndedChild()) {
    const auto found = processes_.find(pid);
    if (found == processes_.end()) {
      waitpid(pid, nullptr, 0);
    } else {
      ReapProcess(pid, found->second);
    }
  }
}

void Supervisor::ReapProcess(pid_t pid, uint64_t id) {
  // Before it is reaped: until then its number, the group's, is not given to
  // another process.
  kill(-pid, SIGKILL);
  int wait_status = 0;
  rusage usage = {};
  while (wait4(pid, &wait_status, 0, &usage) < 0 && errno == EINTR) {
  }
  processes_.erase(pid);
  ended_.push_back(
      {ExitReply(id, wait_status, usage), Clock::Real().Monotonic()});
}

bool Supervisor::KillStrays() {
  bool found = false;
  for (const pid_t pid : Children()) {
    if (processes_.count(pid) != 0) continue;
    kill(pid, SIGKILL);
    found = true;
  }
  return found;
}

absl::Status Supervisor::ReportEnds() {
  if (ended_.empty()) {
    KillStrays();
    return absl::OkStatus();
  }
  if (KillStrays()) {
    const absl::Duration held =
        Clock::Real().Monotonic() - ended_.front().since;
    if (held < kStrayTimeout) return absl::OkStatus();
    LogError("descendants of a process do not die");
  }
  for (const EndedProcess& process : ended_) {
    ASSAY_RETURN_IF_ERROR(control_.Send(process.reply.SerializeAsString()));
  }
  ended_.clear();
  return absl::OkStatus();
}

}  // namespace assay
