#include "base/channel_security.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/fd.h"
#include "base/file.h"
#include "base/posix.h"
#include "base/status_macros.h"

namespace assay {
namespace {

constexpr size_t kMaxTokenBytes = 1000;
constexpr size_t kMaxPemBytes = size_t{4} << 20;

std::string Environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

std::string OrEnvironment(const std::string& flag, const char* name) {
  return flag.empty() ? Environment(name) : flag;
}

// What cannot stand in a header is no token.
absl::StatusOr<std::string> CheckToken(absl::string_view text,
                                       absl::string_view source) {
  const absl::string_view token = absl::StripAsciiWhitespace(text);
  const bool sound = std::all_of(token.begin(), token.end(), [](char c) {
    return absl::ascii_isgraph(static_cast<unsigned char>(c));
  });
  if (sound && !token.empty() && token.size() <= kMaxTokenBytes) {
    return std::string(token);
  }
  return absl::InvalidArgumentError(
      absl::StrCat(source,
                   " does not hold a token: create one with `assay "
                   "tokens create` or `assay-coordinator "
                   "create-token`"));
}

std::string DefaultTokenFile() {
  std::string folder = Environment("XDG_CONFIG_HOME");
  if (folder.empty() && !Environment("HOME").empty()) {
    folder = absl::StrCat(Environment("HOME"), "/.config");
  }
  if (folder.empty()) return "";
  std::string path = absl::StrCat(folder, "/assay/token");
  return access(path.c_str(), F_OK) == 0 ? path : "";
}

absl::StatusOr<std::string> FindToken(const SecurityFlags& flags) {
  if (!flags.token_file.empty()) return ReadTokenFile(flags.token_file);
  if (const std::string token = Environment("ASSAY_TOKEN"); !token.empty()) {
    return CheckToken(token, "ASSAY_TOKEN");
  }
  if (const std::string file = Environment("ASSAY_TOKEN_FILE"); !file.empty()) {
    return ReadTokenFile(file);
  }
  if (const std::string file = DefaultTokenFile(); !file.empty()) {
    return ReadTokenFile(file);
  }
  return std::string();
}

}  // namespace

absl::StatusOr<std::string> ReadTokenFile(const std::string& path) {
  const UniqueFd fd(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  const std::string name = absl::StrCat("token file \"", path, "\"");
  if (!fd.valid()) return PosixError(name);
  struct stat info;
  if (fstat(fd.get(), &info) != 0) return PosixError(name);
  if ((info.st_mode & (S_IRWXG | S_IRWXO)) != 0) {
    return absl::FailedPreconditionError(
        absl::StrCat(name, " has the permissions ",
                     absl::StrFormat("%04o", info.st_mode & 07777),
                     ", and others can reach it: chmod 600 it"));
  }
  ASSAY_ASSIGN_OR_RETURN(const std::string text,
                         ReadOpenFile(fd.get(), name, kMaxTokenBytes));
  return CheckToken(text, name);
}

absl::Status CheckPemFile(const std::string& setting, const std::string& path) {
  const absl::StatusOr<std::string> text = ReadFile(path, kMaxPemBytes);
  if (!text.ok()) return Annotate(text.status(), setting);
  if (absl::StrContains(*text, "-----BEGIN ")) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(
      setting, " \"", path, "\" holds no certificate or key: name a PEM file"));
}

absl::StatusOr<ChannelSecurity> ResolveChannelSecurity(
    const SecurityFlags& flags) {
  ChannelSecurity security;
  ASSAY_ASSIGN_OR_RETURN(security.token, FindToken(flags));
  security.tls_ca = OrEnvironment(flags.tls_ca, "ASSAY_TLS_CA");
  if (security.tls_ca.empty() || security.tls_ca == "none") {
    security.tls_ca.clear();
    return security;
  }
  security.tls_cert = OrEnvironment(flags.tls_cert, "ASSAY_TLS_CERT");
  security.tls_key = OrEnvironment(flags.tls_key, "ASSAY_TLS_KEY");
  if (security.tls_cert.empty() != security.tls_key.empty()) {
    return absl::InvalidArgumentError(
        "--tls-cert and --tls-key belong together: give both or neither");
  }
  if (security.tls_ca != "system") {
    ASSAY_RETURN_IF_ERROR(CheckPemFile("--tls-ca", security.tls_ca));
  }
  if (!security.tls_cert.empty()) {
    ASSAY_RETURN_IF_ERROR(CheckPemFile("--tls-cert", security.tls_cert));
    ASSAY_RETURN_IF_ERROR(CheckPemFile("--tls-key", security.tls_key));
  }
  return security;
}

}  // namespace assay
