#include "worker/runner/zygote_connection.h"

#include <signal.h>
#include <sys/socket.h>

#include <utility>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "base/status_macros.h"

namespace assay {
namespace {

// How long the zygote may take to be gone after it was killed.
constexpr absl::Duration kEndTime = absl::Seconds(5);

}  // namespace

ZygoteConnection::ZygoteConnection(SeqPacketSocket socket,
                                   std::unique_ptr<Process> process,
                                   std::unique_ptr<LogCapture> log)
    : process_(std::move(process)),
      log_(std::move(log)),
      socket_(std::move(socket)),
      reader_([this] { ReadLoop(); }) {}

ZygoteConnection::~ZygoteConnection() {
  KillAll();
  // Somebody else may hold the zygote's end, or the zygote may not have ended.
  shutdown(socket_.fd(), SHUT_RDWR);
  reader_.join();
}

absl::StatusOr<std::shared_ptr<ZygoteConnection>> ZygoteConnection::Connect(
    SeqPacketSocket socket, std::unique_ptr<Process> process,
    std::unique_ptr<LogCapture> log, absl::Duration timeout) {
  std::shared_ptr<ZygoteConnection> connection(new ZygoteConnection(
      std::move(socket), std::move(process), std::move(log)));
  absl::MutexLock lock(&connection->mutex_);
  if (!connection->mutex_.AwaitWithTimeout(
          absl::Condition(connection.get(), &ZygoteConnection::Started),
          timeout)) {
    return absl::DeadlineExceededError(absl::StrCat(
        "Python was not ready within ", absl::FormatDuration(timeout),
        "; it printed \"", connection->Log(), "\""));
  }
  if (connection->ready_) return connection;
  connection->process_->Wait(kEndTime).IgnoreError();
  return absl::FailedPreconditionError(
      absl::StrCat("Python cannot start with torch; it printed \"",
                   connection->log_->Finish(), "\""));
}

absl::StatusOr<uint64_t> ZygoteConnection::Fork(int socket_fd, int log_fd,
                                                absl::Duration timeout) {
  uint64_t id;
  {
    absl::MutexLock lock(&mutex_);
    id = ++last_id_;
    children_[id];
  }
  const absl::Status sent =
      Send(absl::StrCat("fork ", id), {socket_fd, log_fd}, timeout);
  absl::MutexLock lock(&mutex_);
  Child& child = children_[id];
  const auto answered = [this, &child]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    return child.forked || !child.failure.empty() || gone_ ||
           child.wait_status.has_value();
  };
  const bool in_time =
      sent.ok() && mutex_.AwaitWithTimeout(absl::Condition(&answered), timeout);
  if (in_time && child.forked && !gone_) return id;
  const std::string failure = child.failure;
  children_.erase(id);
  if (!sent.ok()) return sent;
  if (gone_) return absl::UnavailableError("the Python zygote has died");
  if (in_time) {
    return absl::ResourceExhaustedError(
        failure.empty() ? "a child of the Python zygote ended at its start"
                        : failure);
  }
  return absl::DeadlineExceededError(absl::StrCat(
      "the Python zygote did not fork within ", absl::FormatDuration(timeout)));
}

pid_t ZygoteConnection::ProcessId(uint64_t id) {
  absl::MutexLock lock(&mutex_);
  const auto it = children_.find(id);
  return it == children_.end() ? 0 : it->second.pid;
}

void ZygoteConnection::Kill(uint64_t id) {
  // When it cannot be told it is gone, and its children with it; or it hangs,
  // which whoever waits for the child's end finds out.
  Send(absl::StrCat("kill ", id), {}, absl::ZeroDuration()).IgnoreError();
}

absl::StatusOr<std::optional<int>> ZygoteConnection::Wait(
    uint64_t id, absl::Duration timeout) {
  {
    absl::MutexLock lock(&mutex_);
    const auto ended = [this, id]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
      return gone_ || children_[id].wait_status.has_value();
    };
    const bool in_time =
        mutex_.AwaitWithTimeout(absl::Condition(&ended), timeout);
    const std::optional<int> wait_status = children_[id].wait_status;
    if (!in_time || wait_status.has_value()) return wait_status;
    // A status of SIGKILL is the number of the signal.
    if (children_[id].given_up) return SIGKILL;
  }
  const absl::StatusOr<ExitStatus> end = process_->Wait(kEndTime);
  if (absl::IsUnavailable(end.status())) return end.status();
  return absl::UnavailableError(absl::StrCat(
      "the Python zygote that a runner came from is gone: ",
      end.ok() ? end->Describe() : std::string(end.status().message())));
}

void ZygoteConnection::Forget(uint64_t id) {
  absl::MutexLock lock(&mutex_);
  children_.erase(id);
}

void ZygoteConnection::KillAll() {
  process_->Kill();
  process_->Wait(kEndTime).IgnoreError();
  absl::MutexLock lock(&mutex_);
  gone_ = true;
}

void ZygoteConnection::GiveUp(uint64_t id) {
  {
    absl::MutexLock lock(&mutex_);
    const auto it = children_.find(id);
    if (it != children_.end()) it->second.given_up = true;
  }
  KillAll();
}

bool ZygoteConnection::Started() const { return ready_ || gone_; }

bool ZygoteConnection::alive() const {
  absl::MutexLock lock(&mutex_);
  return !gone_;
}

absl::Status ZygoteConnection::Send(absl::string_view message,
                                    const std::vector<int>& fds,
                                    absl::Duration timeout) {
  absl::MutexLock lock(&send_mutex_);
  return socket_.Send(message, fds, timeout);
}

void ZygoteConnection::ReadLoop() {
  while (true) {
    const absl::StatusOr<Packet> packet =
        socket_.Receive(absl::InfiniteDuration());
    if (!packet.ok()) break;
    Handle(*packet);
  }
  absl::MutexLock lock(&mutex_);
  gone_ = true;
}

void ZygoteConnection::Handle(const Packet& packet) {
  const std::vector<absl::string_view> words =
      absl::StrSplit(packet.data, absl::MaxSplits(' ', 2));
  absl::MutexLock lock(&mutex_);
  if (words[0] == "ready") ready_ = true;
  uint64_t id;
  if (words.size() < 2 || !absl::SimpleAtoi(words[1], &id)) return;
  const auto it = children_.find(id);
  if (it == children_.end()) return;
  int status;
  if (words[0] == "forked") {
    // The child says so itself.
    it->second.forked = true;
    it->second.pid = packet.sender_pid;
  } else if (words[0] == "failed") {
    it->second.failure = words.size() > 2 ? std::string(words[2]) : "unknown";
  } else if (words[0] == "exited" && words.size() > 2 &&
             absl::SimpleAtoi(words[2], &status)) {
    it->second.wait_status = status;
  }
}

}  // namespace assay
