#include "worker/launcher/launcher_channel.h"

#include <sys/socket.h>

#include "absl/strings/str_cat.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/status_macros.h"

namespace assay {
namespace {

absl::Status LauncherGone() {
  return absl::UnavailableError(
      "the launcher of this worker is gone; restart the worker");
}

void SetLimits(const ProcessLimits& limits, worker::Limits& out) {
  if (limits.core_bytes) out.set_core_bytes(*limits.core_bytes);
  if (limits.file_bytes) out.set_file_bytes(*limits.file_bytes);
  if (limits.processes) out.set_processes(*limits.processes);
  if (limits.address_space_bytes) {
    out.set_address_space_bytes(*limits.address_space_bytes);
  }
  if (limits.open_files) out.set_open_files(*limits.open_files);
  if (limits.cpu_seconds) out.set_cpu_seconds(*limits.cpu_seconds);
  out.mutable_cpus()->Add(limits.cpus.begin(), limits.cpus.end());
  out.set_nice(limits.nice);
}

worker::LaunchRequest SpawnRequest(uint64_t id, const SpawnOptions& options) {
  worker::LaunchRequest request;
  request.set_id(id);
  worker::Spawn& spawn = *request.mutable_spawn();
  for (const std::string& argument : options.argv) spawn.add_argv(argument);
  for (const std::string& variable : options.env) spawn.add_env(variable);
  for (const auto& [here, there] : options.fds) spawn.add_fds(there);
  for (const auto& [content, there] : options.data) {
    worker::Data& data = *spawn.add_data();
    data.set_fd(there);
    data.set_content(content);
  }
  if (options.user_namespace) {
    spawn.mutable_user_namespace()->set_fd(options.user_namespace->fd);
    spawn.mutable_user_namespace()->set_id(options.user_namespace->id);
  }
  spawn.set_control_group(options.control_group.has_value());
  spawn.set_working_directory(options.working_directory);
  SetLimits(options.limits, *spawn.mutable_limits());
  return request;
}

ExitStatus ToExitStatus(const worker::Exited& exited) {
  ExitStatus exit;
  exit.wait_status = exited.wait_status();
  exit.user_time = absl::Microseconds(exited.user_time_us());
  exit.system_time = absl::Microseconds(exited.system_time_us());
  exit.max_rss_bytes = exited.max_rss_bytes();
  return exit;
}

}  // namespace

absl::Status LauncherChannel::Send(const worker::LaunchRequest& request,
                                   const std::vector<int>& fds) {
  absl::MutexLock lock(&send_mutex_);
  return socket_.Send(request.SerializeAsString(), fds);
}

absl::StatusOr<LauncherChannel::Started> LauncherChannel::Spawn(
    const SpawnOptions& options) {
  Started started;
  {
    absl::MutexLock lock(&mutex_);
    if (!connected_) return LauncherGone();
    started.id = ++last_id_;
    processes_[started.id];
  }
  std::vector<int> fds;
  for (const auto& [here, there] : options.fds) fds.push_back(here);
  if (options.control_group) fds.push_back(*options.control_group);
  absl::Status status = Send(SpawnRequest(started.id, options), fds);
  if (status.ok()) {
    absl::MutexLock lock(&mutex_);
    const ProcessState& state = processes_[started.id];
    const auto answered = [this, &state]() ABSL_SHARED_LOCKS_REQUIRED(mutex_) {
      return state.pid != 0 || !state.spawn_error.ok() || !connected_;
    };
    mutex_.Await(absl::Condition(&answered));
    started.pid = state.pid;
    status = state.spawn_error;
    if (status.ok() && state.pid == 0) status = LauncherGone();
  }
  if (!status.ok()) {
    Forget(started.id);
    return absl::IsUnavailable(status) ? LauncherGone() : status;
  }
  return started;
}

void LauncherChannel::Kill(uint64_t id) {
  worker::LaunchRequest request;
  request.set_id(id);
  request.mutable_kill();
  const absl::Status status = Send(request, {});
  // A launcher that is gone has taken its processes with it.
  if (!status.ok() && !absl::IsUnavailable(status)) {
    LogError("cannot kill a process", {{"error", status.ToString()}});
  }
}

bool LauncherChannel::IsOver(uint64_t id) const {
  const auto found = processes_.find(id);
  return found == processes_.end() || found->second.exit.has_value() ||
         !connected_;
}

absl::StatusOr<ExitStatus> LauncherChannel::Wait(uint64_t id,
                                                 absl::Duration timeout) {
  absl::MutexLock lock(&mutex_);
  const auto over = [this, id]() ABSL_SHARED_LOCKS_REQUIRED(mutex_) {
    return IsOver(id);
  };
  if (!mutex_.AwaitWithTimeout(absl::Condition(&over), timeout)) {
    return absl::DeadlineExceededError(absl::StrCat(
        "the process is still running after ", absl::FormatDuration(timeout)));
  }
  const auto found = processes_.find(id);
  if (found == processes_.end() || !found->second.exit) return LauncherGone();
  return *found->second.exit;
}

void LauncherChannel::Forget(uint64_t id) {
  absl::MutexLock lock(&mutex_);
  processes_.erase(id);
}

void LauncherChannel::HandleReply(const worker::LaunchReply& reply) {
  absl::MutexLock lock(&mutex_);
  const auto found = processes_.find(reply.id());
  if (found == processes_.end()) return;
  ProcessState& state = found->second;
  switch (reply.reply_case()) {
    case worker::LaunchReply::kSpawned:
      state.pid = reply.spawned().pid();
      break;
    case worker::LaunchReply::kSpawnFailed:
      state.spawn_error =
          absl::InvalidArgumentError(reply.spawn_failed().message());
      break;
    case worker::LaunchReply::kExited:
      state.exit = ToExitStatus(reply.exited());
      break;
    case worker::LaunchReply::REPLY_NOT_SET:
      LogError("launcher sent an empty reply", {{"id", reply.id()}});
      break;
  }
}

void LauncherChannel::ReadReplies() {
  while (true) {
    const absl::StatusOr<Packet> packet =
        socket_.Receive(absl::InfiniteDuration());
    if (!packet.ok()) break;
    worker::LaunchReply reply;
    if (!reply.ParseFromString(packet->data)) {
      LogError("launcher sent a malformed reply");
      break;
    }
    HandleReply(reply);
  }
  absl::MutexLock lock(&mutex_);
  connected_ = false;
}

void LauncherChannel::Disconnect() { shutdown(socket_.fd(), SHUT_RDWR); }

}  // namespace assay
