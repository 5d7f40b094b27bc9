#include "base/channel_security.h"

#include <stdlib.h>
#include <sys/stat.h>

#include "absl/strings/str_cat.h"
#include "base/file.h"
#include "base/status_testing.h"

namespace assay {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr char kToken[] = "tok-1.secret";

class ChannelSecurityTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_OK_AND_ASSIGN(TempDir folder, TempDir::Create("assay-security-"));
    folder_ = std::make_unique<TempDir>(std::move(folder));
    for (const char* name : {"ASSAY_TOKEN", "ASSAY_TOKEN_FILE", "ASSAY_TLS_CA",
                             "ASSAY_TLS_CERT", "ASSAY_TLS_KEY"}) {
      unsetenv(name);
    }
    setenv("XDG_CONFIG_HOME", folder_->path().c_str(), 1);
  }

  std::string Write(const std::string& name, const std::string& content,
                    mode_t mode = 0600) {
    const std::string path = absl::StrCat(folder_->path(), "/", name);
    EXPECT_OK(WriteFileAtomically(path, content));
    EXPECT_EQ(chmod(path.c_str(), mode), 0);
    return path;
  }

  std::unique_ptr<TempDir> folder_;
};

TEST_F(ChannelSecurityTest, NothingIsSetByDefault) {
  ASSERT_OK_AND_ASSIGN(const ChannelSecurity security,
                       ResolveChannelSecurity({}));
  EXPECT_EQ(security.token, "");
  EXPECT_EQ(security.tls_ca, "");
}

TEST_F(ChannelSecurityTest, TokenComesFromTheNearestPlace) {
  ASSERT_OK(CreateDirectories(folder_->path() + "/assay"));
  Write("assay/token", "tok-config\n");
  const auto token = [](const SecurityFlags& flags) {
    return ResolveChannelSecurity(flags)->token;
  };
  EXPECT_EQ(token({}), "tok-config");
  setenv("ASSAY_TOKEN_FILE", Write("file", "tok-file\n").c_str(), 1);
  EXPECT_EQ(token({}), "tok-file");
  setenv("ASSAY_TOKEN", "tok-variable", 1);
  EXPECT_EQ(token({}), "tok-variable");
  SecurityFlags flags;
  flags.token_file = Write("flag", " tok-flag \n");
  EXPECT_EQ(token(flags), "tok-flag");
}

TEST_F(ChannelSecurityTest, TokenFileThatOthersCanReachIsRefused) {
  for (const mode_t mode : {0644, 0640, 0604, 0620}) {
    EXPECT_THAT(
        ReadTokenFile(Write("token", kToken, mode)),
        StatusIs(absl::StatusCode::kFailedPrecondition,
                 AllOf(HasSubstr("chmod 600"), Not(HasSubstr("secret")))));
  }
  EXPECT_THAT(ReadTokenFile(Write("token", kToken, 0400)),
              IsOkAndHolds(std::string(kToken)));
}

TEST_F(ChannelSecurityTest, WhatIsNoTokenIsNotRepeated) {
  for (const std::string& text :
       {std::string(), std::string("\n"), std::string("two words"),
        std::string("line\nbreak"), std::string("se\x01cret")}) {
    EXPECT_THAT(ReadTokenFile(Write("token", text)),
                StatusIs(absl::StatusCode::kInvalidArgument,
                         AllOf(HasSubstr("does not hold a token"),
                               Not(HasSubstr("words")))));
  }
  EXPECT_THAT(ReadTokenFile(Write("token", std::string(2000, 'a'))),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("token")));
  EXPECT_THAT(ReadTokenFile(folder_->path() + "/none"),
              StatusIs(absl::StatusCode::kNotFound, HasSubstr("none")));
}

TEST_F(ChannelSecurityTest, CertificatesAreLookedAt) {
  SecurityFlags flags;
  flags.tls_ca = Write("ca.pem", "-----BEGIN CERTIFICATE-----\n");
  ASSERT_OK_AND_ASSIGN(const ChannelSecurity security,
                       ResolveChannelSecurity(flags));
  EXPECT_EQ(security.tls_ca, flags.tls_ca);
  flags.tls_cert = flags.tls_ca;
  EXPECT_THAT(ResolveChannelSecurity(flags),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("belong together")));
  flags.tls_key = Write("key.pem", "nothing");
  EXPECT_THAT(
      ResolveChannelSecurity(flags),
      StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("--tls-key")));
  flags = {};
  flags.tls_ca = folder_->path() + "/none.pem";
  EXPECT_THAT(ResolveChannelSecurity(flags),
              StatusIs(absl::StatusCode::kNotFound, HasSubstr("--tls-ca")));
}

TEST_F(ChannelSecurityTest, NoneTurnsTheVariablesOff) {
  setenv("ASSAY_TLS_CA", "system", 1);
  EXPECT_EQ(ResolveChannelSecurity({})->tls_ca, "system");
  SecurityFlags flags;
  flags.tls_ca = "none";
  EXPECT_EQ(ResolveChannelSecurity(flags)->tls_ca, "");
}

}  // namespace
}  // namespace assay
