// Encryption, and what the coordinator asks for before it can be reached from
// other machines.

#include <grpcpp/grpcpp.h>

#include <memory>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/types/optional.h"
#include "assay/v1/admin_service.grpc.pb.h"
#include "base/certificates_testing.h"
#include "base/file.h"
#include "base/grpc_status.h"
#include "base/secure_channel.h"
#include "base/status_testing.h"
#include "server/auth/tokens.h"
#include "server/coordinator.h"
#include "server/store/visit.h"

namespace assay {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class CoordinatorTlsTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_OK_AND_ASSIGN(folder_, TempDir::Create("assay-tls-"));
    Install(authority_);
    options_.listen = "127.0.0.1:0";
    options_.store_path = Path("assay.db");
    options_.tls.cert = Path("server.pem");
    options_.tls.key = Path("server.key");
    client_.tls_ca = Write("ca.pem", authority_.cert());
  }

  std::string Path(const std::string& name) const {
    return absl::StrCat(folder_->path(), "/", name);
  }

  std::string Write(const std::string& name, const std::string& content) {
    EXPECT_OK(WriteFileAtomically(Path(name), content));
    return Path(name);
  }

  // Gives the coordinator a pair of the authority.
  void Install(const TestAuthority& authority) {
    const PemPair pair = authority.Issue();
    Write("server.key", pair.key);
    Write("server.pem", pair.cert);
  }

  void Start() {
    ASSERT_OK_AND_ASSIGN(coordinator_, Coordinator::Start(options_));
  }

  absl::Status Refusal() { return Coordinator::Start(options_).status(); }

  std::string CreateAdminToken() {
    v1::CreateTokenRequest request;
    request.set_name("test");
    request.set_role(v1::ADMIN);
    std::string text;
    EXPECT_OK(VisitStore(options_.store_path, Clock::Real(),
                         [&](Session& session) -> absl::Status {
                           const auto created = CreateToken(session, request);
                           if (created.ok()) text = created->text();
                           return created.status();
                         }));
    return text;
  }

  // A call on a connection of its own.
  absl::Status GetInfo(const ChannelSecurity& security) {
    grpc::ChannelArguments arguments;
    arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
    const std::string address = coordinator_->address();
    const auto channel = MakeChannel(
        absl::StrCat("localhost", address.substr(address.rfind(':'))), security,
        arguments);
    if (!channel.ok()) return channel.status();
    grpc::ClientContext context;
    context.set_deadline(std::chrono::system_clock::now() +
                         std::chrono::minutes(1));
    v1::ServerInfo info;
    return FromGrpcStatus(v1::AdminService::NewStub(*channel)->GetServerInfo(
        &context, v1::GetServerInfoRequest(), &info));
  }

  const TestAuthority authority_;
  const TestAuthority other_authority_;
  absl::optional<TempDir> folder_;
  Coordinator::Options options_;
  ChannelSecurity client_;
  std::unique_ptr<Coordinator> coordinator_;
};

TEST_F(CoordinatorTlsTest, ClientsOfTheAuthorityAreServedAndOthersAreNot) {
  Start();
  EXPECT_OK(GetInfo(client_));
  ChannelSecurity wrong;
  wrong.tls_ca = Write("other.pem", other_authority_.cert());
  EXPECT_THAT(GetInfo(wrong),
              StatusIs(absl::StatusCode::kUnavailable, HasSubstr("")));
  EXPECT_THAT(GetInfo(ChannelSecurity()),
              StatusIs(absl::StatusCode::kUnavailable, HasSubstr("")));
}

TEST_F(CoordinatorTlsTest, ClientsNeedACertificateWhereOneIsAskedFor) {
  options_.tls.client_ca = Write("ca.pem", authority_.cert());
  Start();
  EXPECT_THAT(GetInfo(client_),
              StatusIs(absl::StatusCode::kUnavailable, HasSubstr("")));
  for (const TestAuthority* issuer : {&authority_, &other_authority_}) {
    const PemPair pair = issuer->Issue();
    client_.tls_cert = Write("client.pem", pair.cert);
    client_.tls_key = Write("client.key", pair.key);
    EXPECT_EQ(GetInfo(client_).ok(), issuer == &authority_);
  }
}

TEST_F(CoordinatorTlsTest, TokensAreCheckedHereToo) {
  const std::string token = CreateAdminToken();
  Start();
  EXPECT_THAT(GetInfo(client_), StatusIs(absl::StatusCode::kUnauthenticated,
                                         HasSubstr("ASSAY_TOKEN")));
  client_.token = token;
  EXPECT_OK(GetInfo(client_));
}

TEST_F(CoordinatorTlsTest, RenewedCertificatesAreTakenWithoutARestart) {
  options_.tls.refresh_seconds = 1;
  Start();
  EXPECT_OK(GetInfo(client_));
  Install(other_authority_);
  client_.tls_ca = Write("ca.pem", other_authority_.cert());
  while (!GetInfo(client_).ok()) {
  }
}

TEST_F(CoordinatorTlsTest, FilesThatCannotBeUsedAreNamed) {
  options_.tls.key = "";
  EXPECT_THAT(Refusal(), StatusIs(absl::StatusCode::kInvalidArgument,
                                  HasSubstr("belong together")));
  options_.tls.key = Write("other.key", authority_.Issue().key);
  EXPECT_THAT(Refusal(), StatusIs(absl::StatusCode::kInvalidArgument,
                                  HasSubstr("is not the key of")));
  options_.tls.key = Write("nothing.key", "nothing");
  EXPECT_THAT(Refusal(), StatusIs(absl::StatusCode::kInvalidArgument,
                                  AllOf(HasSubstr("--tls-key"),
                                        HasSubstr("private key"))));
  options_.tls.key = Path("none.key");
  EXPECT_THAT(Refusal(),
              StatusIs(absl::StatusCode::kNotFound, HasSubstr("--tls-key")));
  options_.tls.key = Path("server.key");
  options_.tls.client_ca = Path("server.key");
  EXPECT_THAT(Refusal(), StatusIs(absl::StatusCode::kInvalidArgument,
                                  HasSubstr("--tls-client-ca")));
  options_.tls = {};
  options_.tls.client_ca = client_.tls_ca;
  EXPECT_THAT(Refusal(), StatusIs(absl::StatusCode::kInvalidArgument,
                                  HasSubstr("--tls-client-ca")));
}

TEST_F(CoordinatorTlsTest, OtherMachinesNeedEncryptionAndTokens) {
  options_.listen = "0.0.0.0:0";
  const TlsFiles files = std::exchange(options_.tls, TlsFiles());
  EXPECT_THAT(Refusal(), StatusIs(absl::StatusCode::kFailedPrecondition,
                                  AllOf(HasSubstr("\"0.0.0.0:0\""),
                                        HasSubstr("--tls-cert"),
                                        HasSubstr("--insecure"))));
  options_.tls = files;
  EXPECT_THAT(Refusal(), StatusIs(absl::StatusCode::kFailedPrecondition,
                                  HasSubstr("create-token")));
  client_.token = CreateAdminToken();
  Start();
  EXPECT_OK(GetInfo(client_));
}

TEST_F(CoordinatorTlsTest, InsecureAcceptsAll) {
  options_.listen = "0.0.0.0:0";
  options_.tls = {};
  options_.insecure = true;
  Start();
  EXPECT_OK(GetInfo(ChannelSecurity()));
}

}  // namespace
}  // namespace assay
