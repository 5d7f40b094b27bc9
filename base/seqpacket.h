// Messages over a SOCK_SEQPACKET Unix socket, with descriptors passed along:
// how the trusted worker talks to its launcher and to hostile processes.

#ifndef ASSAY_BASE_SEQPACKET_H_
#define ASSAY_BASE_SEQPACKET_H_

#include <sys/types.h>

#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "base/fd.h"

namespace assay {

// A received message.
struct Packet {
  std::string data;
  std::vector<UniqueFd> fds;
  // Process id of the sender as this process sees it; 0 when unknown.
  pid_t sender_pid = 0;
};

// One end of a connected socket. Thread-compatible; one reader and one writer
// may work at the same time.
class SeqPacketSocket {
 public:
  // Largest message, either way. The host may carry less: see Send.
  static constexpr size_t kMaxMessageBytes = 1 << 20;
  // Most descriptors in one message.
  static constexpr size_t kMaxFds = 16;

  // Takes over a connected SOCK_SEQPACKET descriptor.
  explicit SeqPacketSocket(UniqueFd fd) : fd_(std::move(fd)) {}

  // A connected pair; both ends are close-on-exec.
  static absl::StatusOr<std::pair<SeqPacketSocket, SeqPacketSocket>> Pair();

  // Waits for room in the socket's buffer until `timeout` passes
  // (DEADLINE_EXCEEDED); the other end need not have read the message then.
  // INVALID_ARGUMENT for a message that is too large for this socket,
  // UNAVAILABLE when the other end is gone. Never raises SIGPIPE.
  absl::Status Send(absl::string_view data, const std::vector<int>& fds = {},
                    absl::Duration timeout = absl::InfiniteDuration());

  // Waits for a message until `timeout` passes (DEADLINE_EXCEEDED). UNAVAILABLE
  // when the other end is gone; INVALID_ARGUMENT for a message that was cut;
  // RESOURCE_EXHAUSTED when this process has no room for its descriptors.
  absl::StatusOr<Packet> Receive(absl::Duration timeout);

  int fd() const { return fd_.get(); }
  UniqueFd ReleaseFd() { return std::move(fd_); }

 private:
  UniqueFd fd_;
};

}  // namespace assay

#endif  // ASSAY_BASE_SEQPACKET_H_
