#include "server/listen_address.h"

#include <netdb.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <memory>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "base/fd.h"
#include "base/loopback.h"

namespace assay {
namespace {

constexpr int kMaxPort = 65535;

absl::Status CannotListen(const ListenAddress& address,
                          absl::string_view reason, absl::string_view remedy) {
  return absl::FailedPreconditionError(absl::StrCat(
      "cannot listen on ", address.text, ": ", reason, "; ", remedy));
}

absl::Status FromErrno(const ListenAddress& address, int error_number) {
  if (error_number == EADDRINUSE) {
    return CannotListen(address, "address already in use",
                        "stop the other program or choose another --listen");
  }
  if (error_number == EACCES) {
    return CannotListen(address, "permission denied",
                        "choose a port from 1024 up");
  }
  return CannotListen(address,
                      absl::AsciiStrToLower(std::strerror(error_number)),
                      "choose another --listen");
}

absl::Status CheckUnix(const ListenAddress& address) {
  sockaddr_un name = {};
  name.sun_family = AF_UNIX;
  if (address.unix_path.size() >= sizeof(name.sun_path)) {
    return CannotListen(
        address, "the path is too long",
        absl::StrCat("use at most ", sizeof(name.sun_path) - 1, " characters"));
  }
  address.unix_path.copy(name.sun_path, sizeof(name.sun_path) - 1);
  UniqueFd fd(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (connect(fd.get(), reinterpret_cast<const sockaddr*>(&name),
              sizeof(name)) == 0) {
    return FromErrno(address, EADDRINUSE);
  }
  // Nobody answers: what is there, if anything, is a left-over.
  return absl::OkStatus();
}

absl::Status TryBind(const ListenAddress& address, const addrinfo& info) {
  UniqueFd fd(socket(info.ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0));
  const int on = 1;
  setsockopt(fd.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
  if (!fd.valid() || bind(fd.get(), info.ai_addr, info.ai_addrlen) != 0 ||
      listen(fd.get(), 1) != 0) {
    return FromErrno(address, errno);
  }
  return absl::OkStatus();
}

absl::Status CheckTcp(const ListenAddress& address) {
  addrinfo hints = {};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV;
  addrinfo* found = nullptr;
  const std::string port = absl::StrCat(address.port);
  const int code =
      getaddrinfo(address.host.c_str(), port.c_str(), &hints, &found);
  if (code != 0) {
    return CannotListen(
        address,
        absl::StrCat("host \"", address.host, "\": ", gai_strerror(code)),
        "choose an address of this machine");
  }
  const std::unique_ptr<addrinfo, void (*)(addrinfo*)> owned(found,
                                                             freeaddrinfo);
  return TryBind(address, *found);
}

}  // namespace

bool ListenAddress::IsLoopback() const {
  return !unix_path.empty() || IsLoopbackHost(host);
}

std::string ListenAddress::WithPort(int picked) const {
  if (!unix_path.empty()) return text;
  return absl::StrContains(host, ':') ? absl::StrCat("[", host, "]:", picked)
                                      : absl::StrCat(host, ":", picked);
}

absl::StatusOr<ListenAddress> ParseListenAddress(absl::string_view text) {
  ListenAddress address;
  address.text = std::string(text);
  absl::string_view rest = text;
  if (absl::ConsumePrefix(&rest, "unix:")) {
    address.unix_path = std::string(rest);
    if (!rest.empty()) return address;
  }
  const size_t colon = rest.rfind(':');
  if (colon != absl::string_view::npos) {
    absl::string_view host = rest.substr(0, colon);
    const bool bracketed =
        absl::ConsumePrefix(&host, "[") && absl::ConsumeSuffix(&host, "]");
    address.host = std::string(host);
    const bool ambiguous = !bracketed && absl::StrContains(host, ':');
    if (!host.empty() && !ambiguous &&
        absl::SimpleAtoi(rest.substr(colon + 1), &address.port) &&
        address.port >= 0 && address.port <= kMaxPort) {
      return address;
    }
  }
  return absl::InvalidArgumentError(
      absl::StrCat("--listen \"", text,
                   "\" is not an address: use HOST:PORT, [IPV6]:PORT or "
                   "unix:/path"));
}

absl::Status CheckCanListen(const ListenAddress& address) {
  return address.unix_path.empty() ? CheckTcp(address) : CheckUnix(address);
}

}  // namespace assay
