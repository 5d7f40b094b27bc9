// With which token, and under which encryption, a client or a worker talks to
// its coordinator.

#ifndef ASSAY_BASE_CHANNEL_SECURITY_H_
#define ASSAY_BASE_CHANNEL_SECURITY_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace assay {

struct ChannelSecurity {
  // Sent with every call; empty: none.
  std::string token;
  // File with the certificates (PEM) of authorities to trust, or `system` for
  // those of the machine. Empty: no encryption.
  std::string tls_ca;
  // The client's own certificate and key (PEM), where the coordinator asks for
  // one; both or neither.
  std::string tls_cert;
  std::string tls_key;
};

// What the command line says; what it leaves empty is taken from the
// environment. A token is never an argument: others can see those.
struct SecurityFlags {
  // --token-file, else $ASSAY_TOKEN, else $ASSAY_TOKEN_FILE, else
  // $XDG_CONFIG_HOME/assay/token or ~/.config/assay/token where that exists.
  std::string token_file;
  // --tls-ca, else $ASSAY_TLS_CA: a file, `system`, or `none`.
  std::string tls_ca;
  // --tls-cert and --tls-key, else $ASSAY_TLS_CERT and $ASSAY_TLS_KEY.
  std::string tls_cert;
  std::string tls_key;
};

// FAILED_PRECONDITION for a token file that others than its owner can read,
// NOT_FOUND for one that is missing, INVALID_ARGUMENT for what is no token or
// no certificate. Messages never hold the token.
absl::StatusOr<ChannelSecurity> ResolveChannelSecurity(
    const SecurityFlags& flags);

// The token in a file that its owner alone can read.
absl::StatusOr<std::string> ReadTokenFile(const std::string& path);

// INVALID_ARGUMENT, with the name of the setting, unless the file holds
// something in PEM form.
absl::Status CheckPemFile(const std::string& setting, const std::string& path);

}  // namespace assay

#endif  // ASSAY_BASE_CHANNEL_SECURITY_H_
