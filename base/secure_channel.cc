#include "base/secure_channel.h"

#include <grpcpp/create_channel.h>
#include <grpcpp/security/credentials.h>
#include <grpcpp/security/tls_certificate_provider.h>
#include <grpcpp/security/tls_credentials_options.h>
#include <grpcpp/support/client_interceptor.h>

#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/loopback.h"

namespace assay {
namespace {

constexpr unsigned kCertificateRefreshSeconds = 60;

// Adds the header to each call. gRPC's own call credentials do that on
// encrypted channels only, and loopback has none.
class TokenSender final : public grpc::experimental::Interceptor {
 public:
  explicit TokenSender(const std::string& header) : header_(header) {}

  void Intercept(
      grpc::experimental::InterceptorBatchMethods* methods) override {
    if (methods->QueryInterceptionHookPoint(
            grpc::experimental::InterceptionHookPoints::
                PRE_SEND_INITIAL_METADATA)) {
      methods->GetSendInitialMetadata()->insert({"authorization", header_});
    }
    methods->Proceed();
  }

 private:
  const std::string& header_;
};

class TokenSenderFactory final
    : public grpc::experimental::ClientInterceptorFactoryInterface {
 public:
  explicit TokenSenderFactory(const std::string& token)
      : header_(absl::StrCat("Bearer ", token)) {}

  grpc::experimental::Interceptor* CreateClientInterceptor(
      grpc::experimental::ClientRpcInfo*) override {
    return new TokenSender(header_);
  }

 private:
  // Lives as long as the channel, which outlives its calls.
  const std::string header_;
};

std::shared_ptr<grpc::ChannelCredentials> MakeCredentials(
    const ChannelSecurity& security) {
  if (security.tls_ca.empty()) return grpc::InsecureChannelCredentials();
  const std::string ca = security.tls_ca == "system" ? "" : security.tls_ca;
  grpc::experimental::TlsChannelCredentialsOptions options;
  if (!ca.empty() || !security.tls_cert.empty()) {
    options.set_certificate_provider(
        std::make_shared<grpc::experimental::FileWatcherCertificateProvider>(
            security.tls_key, security.tls_cert, ca,
            kCertificateRefreshSeconds));
  }
  if (!ca.empty()) options.watch_root_certs();
  if (!security.tls_cert.empty()) options.watch_identity_key_cert_pairs();
  return grpc::experimental::TlsCredentials(options);
}

}  // namespace

absl::StatusOr<std::shared_ptr<grpc::Channel>> MakeChannel(
    const std::string& address, const ChannelSecurity& security,
    const grpc::ChannelArguments& arguments) {
  if (!security.token.empty() && security.tls_ca.empty() &&
      !IsLoopbackAddress(address)) {
    return absl::FailedPreconditionError(absl::StrCat(
        "the token would go to ", address,
        " for everybody on the way to read: name the coordinator's authority "
        "with --tls-ca FILE or --tls-ca system, or go through a tunnel"));
  }
  std::vector<
      std::unique_ptr<grpc::experimental::ClientInterceptorFactoryInterface>>
      interceptors;
  if (!security.token.empty()) {
    interceptors.push_back(
        std::make_unique<TokenSenderFactory>(security.token));
  }
  return grpc::experimental::CreateCustomChannelWithInterceptors(
      address, MakeCredentials(security), arguments, std::move(interceptors));
}

}  // namespace assay
