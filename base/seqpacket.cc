#include "base/seqpacket.h"

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cstring>

#include "absl/strings/str_cat.h"
#include "base/clock.h"
#include "base/posix.h"
#include "base/status_macros.h"

namespace assay {
namespace {

// Waits until the socket is ready for `events` (or closed), or until
// `deadline`, by the monotonic clock, has passed: false.
absl::StatusOr<bool> WaitReady(int fd, short events, absl::Duration deadline) {
  while (true) {
    const absl::Duration left = deadline - Clock::Real().Monotonic();
    if (left < absl::ZeroDuration()) return false;
    pollfd poller = {fd, events, 0};
    const timespec wait = absl::ToTimespec(std::min(left, absl::Hours(1)));
    const int ready = ppoll(&poller, 1, &wait, nullptr);
    if (ready > 0) return true;
    if (ready < 0 && errno != EINTR) return PosixError("poll");
  }
}

// Takes the descriptors and the sender out of the control part.
void ReadControl(msghdr& header, Packet& packet) {
  for (cmsghdr* control = CMSG_FIRSTHDR(&header); control != nullptr;
       control = CMSG_NXTHDR(&header, control)) {
    if (control->cmsg_level != SOL_SOCKET) continue;
    if (control->cmsg_type == SCM_RIGHTS) {
      const size_t count = (control->cmsg_len - CMSG_LEN(0)) / sizeof(int);
      for (size_t i = 0; i < count; ++i) {
        int fd;
        std::memcpy(&fd, CMSG_DATA(control) + i * sizeof(int), sizeof(int));
        packet.fds.emplace_back(fd);
      }
    } else if (control->cmsg_type == SCM_CREDENTIALS) {
      ucred credentials;
      std::memcpy(&credentials, CMSG_DATA(control), sizeof(credentials));
      packet.sender_pid = credentials.pid;
    }
  }
}

// What errno says about sending `bytes`.
absl::Status SendError(size_t bytes) {
  if (errno == EPIPE || errno == ECONNRESET || errno == ENOTCONN) {
    return absl::UnavailableError("the other process is gone");
  }
  if (errno == EMSGSIZE) {
    return absl::InvalidArgumentError(absl::StrCat(
        "a message of ", bytes,
        " bytes is over what a socket of this host carries; send less at a "
        "time, or raise net.core.wmem_max"));
  }
  return PosixError("sending a message");
}

// That nothing of a message which came with `fds` descriptors was lost.
absl::Status CheckWhole(int flags, size_t fds) {
  // There was room for more, so that it was this process's table that had none.
  if ((flags & MSG_CTRUNC) != 0 && fds < SeqPacketSocket::kMaxFds) {
    return absl::ResourceExhaustedError(
        "too many open files: this process has no descriptor left for what "
        "came with a message; close some");
  }
  if ((flags & (MSG_TRUNC | MSG_CTRUNC)) != 0) {
    return absl::InvalidArgumentError("a message was too long and was cut");
  }
  return absl::OkStatus();
}

constexpr size_t kControlBytes =
    CMSG_SPACE(sizeof(int) * SeqPacketSocket::kMaxFds) +
    CMSG_SPACE(sizeof(ucred));

}  // namespace

absl::StatusOr<std::pair<SeqPacketSocket, SeqPacketSocket>>
SeqPacketSocket::Pair() {
  int fds[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fds) != 0) {
    return PosixError("socketpair");
  }
  for (const int fd : fds) {
    const int on = 1;
    // Room for a few messages of the largest size; the kernel may cap it.
    const int bytes = 4 * static_cast<int>(kMaxMessageBytes);
    setsockopt(fd, SOL_SOCKET, SO_PASSCRED, &on, sizeof(on));
    // What anybody may have; then more, for those who may exceed the host's
    // limit.
    setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &bytes, sizeof(bytes));
    setsockopt(fd, SOL_SOCKET, SO_SNDBUFFORCE, &bytes, sizeof(bytes));
  }
  return std::make_pair(SeqPacketSocket(UniqueFd(fds[0])),
                        SeqPacketSocket(UniqueFd(fds[1])));
}

absl::Status SeqPacketSocket::Send(absl::string_view data,
                                   const std::vector<int>& fds,
                                   absl::Duration timeout) {
  if (data.size() > kMaxMessageBytes || fds.size() > kMaxFds) {
    return absl::InvalidArgumentError(
        absl::StrCat("a message of ", data.size(), " bytes and ", fds.size(),
                     " descriptors is over the limit"));
  }
  iovec part = {const_cast<char*>(data.data()), data.size()};
  msghdr header = {};
  header.msg_iov = &part;
  header.msg_iovlen = 1;
  alignas(cmsghdr) char control[kControlBytes] = {};
  if (!fds.empty()) {
    header.msg_control = control;
    header.msg_controllen = CMSG_SPACE(sizeof(int) * fds.size());
    cmsghdr* rights = CMSG_FIRSTHDR(&header);
    rights->cmsg_level = SOL_SOCKET;
    rights->cmsg_type = SCM_RIGHTS;
    rights->cmsg_len = CMSG_LEN(sizeof(int) * fds.size());
    std::memcpy(CMSG_DATA(rights), fds.data(), sizeof(int) * fds.size());
  }
  const absl::Duration deadline = Clock::Real().Monotonic() + timeout;
  while (sendmsg(fd_.get(), &header, MSG_NOSIGNAL | MSG_DONTWAIT) < 0) {
    if (errno == EINTR) continue;
    if (errno != EAGAIN) return SendError(data.size());
    ASSAY_ASSIGN_OR_RETURN(const bool has_room,
                           WaitReady(fd_.get(), POLLOUT, deadline));
    if (!has_room) {
      return absl::DeadlineExceededError(
          "the other process took no message within the time given");
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<Packet> SeqPacketSocket::Receive(absl::Duration timeout) {
  ASSAY_ASSIGN_OR_RETURN(
      const bool is_readable,
      WaitReady(fd_.get(), POLLIN, Clock::Real().Monotonic() + timeout));
  if (!is_readable) {
    return absl::DeadlineExceededError("no message within the time given");
  }
  // Room for the largest message would take longer to make than most messages
  // take to arrive.
  const ssize_t size = recv(fd_.get(), nullptr, 0, MSG_PEEK | MSG_TRUNC);
  Packet packet;
  packet.data.resize(
      std::clamp<ssize_t>(size, 1, static_cast<ssize_t>(kMaxMessageBytes)));
  alignas(cmsghdr) char control[kControlBytes];
  iovec part = {packet.data.data(), packet.data.size()};
  msghdr header = {};
  header.msg_iov = &part;
  header.msg_iovlen = 1;
  header.msg_control = control;
  header.msg_controllen = sizeof(control);
  ssize_t got;
  do {
    got = recvmsg(fd_.get(), &header, MSG_CMSG_CLOEXEC);
  } while (got < 0 && errno == EINTR);
  if (got < 0 && errno != ECONNRESET) return PosixError("receiving a message");
  // An empty message, which nobody here sends, may carry descriptors too.
  if (got >= 0) ReadControl(header, packet);
  if (got <= 0) return absl::UnavailableError("the other process is gone");
  ASSAY_RETURN_IF_ERROR(CheckWhole(header.msg_flags, packet.fds.size()));
  packet.data.resize(static_cast<size_t>(got));
  return packet;
}

}  // namespace assay
