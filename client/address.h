// Where the coordinator listens.

#ifndef ASSAY_CLIENT_ADDRESS_H_
#define ASSAY_CLIENT_ADDRESS_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace assay {

inline constexpr char kDefaultServerAddress[] = "127.0.0.1:50051";
// Environment variable that stands in for a missing --server.
inline constexpr char kServerAddressVariable[] = "ASSAY_SERVER";

// The address to use: `flag`, else $ASSAY_SERVER, else the default.
// INVALID_ARGUMENT, with the source of the value, unless it is `host:port`,
// `[ipv6]:port` or `unix:/path`.
absl::StatusOr<std::string> ResolveServerAddress(absl::string_view flag);

// OK when gRPC can dial the address.
absl::Status CheckServerAddress(absl::string_view address);

}  // namespace assay

#endif  // ASSAY_CLIENT_ADDRESS_H_
