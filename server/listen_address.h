// Where the coordinator listens.

#ifndef ASSAY_SERVER_LISTEN_ADDRESS_H_
#define ASSAY_SERVER_LISTEN_ADDRESS_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace assay {

struct ListenAddress {
  // As gRPC takes it: `host:port` or `unix:/path`.
  std::string text;
  // Path of a Unix socket; empty for TCP.
  std::string unix_path;
  std::string host;
  // 0: any free one.
  int port = 0;

  // Only programs on this machine can connect.
  bool IsLoopback() const;
  // The address with the port that was picked.
  std::string WithPort(int picked) const;
};

// INVALID_ARGUMENT quotes the text and says what is expected.
absl::StatusOr<ListenAddress> ParseListenAddress(absl::string_view text);

// FAILED_PRECONDITION, in words, when something else listens there or the
// address is not of this machine. gRPC itself does not say why it failed, and
// would take a Unix socket from the program that serves it.
absl::Status CheckCanListen(const ListenAddress& address);

}  // namespace assay

#endif  // ASSAY_SERVER_LISTEN_ADDRESS_H_
