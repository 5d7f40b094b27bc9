#include "client/address.h"

#include <cstdint>
#include <cstdlib>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "base/status_macros.h"

namespace assay {
namespace {

absl::Status BadAddress(absl::string_view address, absl::string_view why) {
  return absl::InvalidArgumentError(
      absl::StrCat("\"", address, "\" is not a server address: ", why,
                   "; use HOST:PORT or unix:/PATH"));
}

bool IsPort(absl::string_view text) {
  int32_t port = 0;
  return absl::SimpleAtoi(text, &port) && port >= 1 && port <= 65535;
}

}  // namespace

absl::Status CheckServerAddress(absl::string_view address) {
  absl::string_view rest = address;
  if (absl::ConsumePrefix(&rest, "unix:")) {
    if (!absl::StartsWith(rest, "/")) {
      return BadAddress(address, "the path of the socket must be absolute");
    }
    return absl::OkStatus();
  }
  if (absl::StrContains(address, "://")) {
    return BadAddress(address, "it is a URL");
  }
  const size_t colon = address.rfind(':');
  if (colon == absl::string_view::npos) {
    return BadAddress(address, "it has no port");
  }
  const absl::string_view host = address.substr(0, colon);
  if (host.empty()) return BadAddress(address, "it has no host");
  if (absl::StrContains(host, ":") &&
      !(absl::StartsWith(host, "[") && absl::EndsWith(host, "]"))) {
    return BadAddress(address, "an IPv6 host needs brackets");
  }
  if (!IsPort(address.substr(colon + 1))) {
    return BadAddress(address, "the port must be a number from 1 to 65535");
  }
  return absl::OkStatus();
}

absl::StatusOr<std::string> ResolveServerAddress(absl::string_view flag) {
  if (!flag.empty()) {
    ASSAY_RETURN_IF_ERROR(Annotate(CheckServerAddress(flag), "--server"));
    return std::string(flag);
  }
  const char* variable = std::getenv(kServerAddressVariable);
  if (variable != nullptr && *variable != '\0') {
    ASSAY_RETURN_IF_ERROR(
        Annotate(CheckServerAddress(variable), kServerAddressVariable));
    return std::string(variable);
  }
  return std::string(kDefaultServerAddress);
}

}  // namespace assay
