#include "server/auth/tls.h"

#include <grpcpp/security/tls_certificate_provider.h>
#include <grpcpp/security/tls_credentials_options.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>

#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "base/file.h"
#include "base/status_macros.h"

namespace assay {
namespace {

constexpr size_t kMaxPemBytes = size_t{4} << 20;

using Bio = std::unique_ptr<BIO, decltype(&BIO_free)>;
using Certificate = std::unique_ptr<X509, decltype(&X509_free)>;
using Key = std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)>;

absl::StatusOr<std::string> ReadPem(const std::string& flag,
                                    const std::string& path) {
  absl::StatusOr<std::string> text = ReadFile(path, kMaxPemBytes);
  if (!text.ok()) return Annotate(text.status(), flag);
  return text;
}

Bio Reader(const std::string& text) {
  return Bio(BIO_new_mem_buf(text.data(), static_cast<int>(text.size())),
             &BIO_free);
}

absl::Status NotOne(const std::string& flag, const std::string& path,
                    absl::string_view what) {
  return absl::InvalidArgumentError(absl::StrCat(
      flag, " \"", path, "\" does not begin with ", what, " in PEM form"));
}

// Else the library would ask on the terminal.
int NoPassphrase(char*, int, int, void*) { return 0; }

absl::StatusOr<Certificate> ReadCertificate(const std::string& flag,
                                            const std::string& path) {
  ASSAY_ASSIGN_OR_RETURN(const std::string text, ReadPem(flag, path));
  Certificate certificate(
      PEM_read_bio_X509(Reader(text).get(), nullptr, &NoPassphrase, nullptr),
      &X509_free);
  if (certificate == nullptr) return NotOne(flag, path, "a certificate");
  return certificate;
}

absl::StatusOr<Key> ReadKey(const std::string& flag, const std::string& path) {
  ASSAY_ASSIGN_OR_RETURN(const std::string text, ReadPem(flag, path));
  Key key(PEM_read_bio_PrivateKey(Reader(text).get(), nullptr, &NoPassphrase,
                                  nullptr),
          &EVP_PKEY_free);
  if (key == nullptr) {
    return NotOne(flag, path, "a private key without a passphrase");
  }
  return key;
}

}  // namespace

absl::Status CheckTlsFiles(const TlsFiles& files) {
  if (files.cert.empty() != files.key.empty()) {
    return absl::InvalidArgumentError(
        "--tls-cert and --tls-key belong together: give both or neither");
  }
  if (!files.enabled()) {
    if (files.client_ca.empty()) return absl::OkStatus();
    return absl::InvalidArgumentError(
        "--tls-client-ca needs --tls-cert and --tls-key: without encryption "
        "no client shows a certificate");
  }
  ASSAY_ASSIGN_OR_RETURN(const Certificate certificate,
                         ReadCertificate("--tls-cert", files.cert));
  ASSAY_ASSIGN_OR_RETURN(const Key key, ReadKey("--tls-key", files.key));
  if (X509_check_private_key(certificate.get(), key.get()) != 1) {
    return absl::InvalidArgumentError(
        absl::StrCat("--tls-key \"", files.key,
                     "\" is not the key of "
                     "--tls-cert \"",
                     files.cert, "\": give those of one pair"));
  }
  if (files.client_ca.empty()) return absl::OkStatus();
  return ReadCertificate("--tls-client-ca", files.client_ca).status();
}

std::shared_ptr<grpc::ServerCredentials> TlsCredentials(const TlsFiles& files,
                                                        CallCheck check) {
  grpc::experimental::TlsServerCredentialsOptions options(
      std::make_shared<grpc::experimental::FileWatcherCertificateProvider>(
          files.key, files.cert, files.client_ca, files.refresh_seconds));
  options.watch_identity_key_cert_pairs();
  if (!files.client_ca.empty()) {
    options.watch_root_certs();
    options.set_cert_request_type(
        GRPC_SSL_REQUEST_AND_REQUIRE_CLIENT_CERTIFICATE_AND_VERIFY);
  }
  std::shared_ptr<grpc::ServerCredentials> credentials =
      grpc::experimental::TlsServerCredentials(options);
  credentials->SetAuthMetadataProcessor(MakeCallChecker(std::move(check)));
  return credentials;
}

}  // namespace assay
