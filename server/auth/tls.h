// Encryption of the coordinator's port.

#ifndef ASSAY_SERVER_AUTH_TLS_H_
#define ASSAY_SERVER_AUTH_TLS_H_

#include <grpcpp/security/server_credentials.h>

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "server/auth/call_check.h"

namespace assay {

struct TlsFiles {
  // The coordinator's certificate, followed by those between it and its
  // authority, and its key; PEM. Empty: no encryption.
  std::string cert;
  std::string key;
  // Authorities whose certificates clients must show. Empty: clients need none.
  std::string client_ca;
  // How often the files are looked at again.
  unsigned refresh_seconds = 60;

  bool enabled() const { return !cert.empty(); }
};

// INVALID_ARGUMENT or NOT_FOUND names the flag whose file cannot be used; gRPC
// itself would listen all the same, and every connection would fail.
absl::Status CheckTlsFiles(const TlsFiles& files);

// Credentials that ask `check` about every call. The files are looked at again
// every now and then: certificates are renewed without a restart, when key and
// certificate are replaced together (a new folder behind a link, say).
std::shared_ptr<grpc::ServerCredentials> TlsCredentials(const TlsFiles& files,
                                                        CallCheck check);

}  // namespace assay

#endif  // ASSAY_SERVER_AUTH_TLS_H_
