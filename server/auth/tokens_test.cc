#include "server/auth/tokens.h"

#include "absl/strings/str_cat.h"
#include "base/status_testing.h"
#include "server/auth/known_tokens.h"
#include "server/auth/token_text.h"
#include "server/catalog/samples_testing.h"
#include "server/lease/leases.h"
#include "server/store/session_testing.h"

namespace assay {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class TokensTest : public testing::Test {
 protected:
  v1::CreateTokenResponse Create(v1::TokenRole role,
                                 const std::string& name = "node 1") {
    v1::CreateTokenRequest request;
    request.set_name(name);
    request.set_role(role);
    EXPECT_OK(CheckCreateToken(request));
    return store_
        .Run([&](Session& session) { return CreateToken(session, request); })
        .value();
  }

  std::vector<TokenRow> All() {
    return store_.Run([](Session& session) { return session.tokens().All(); })
        .value();
  }

  void Register(const std::string& worker, const std::string& token_id) {
    v1::RegisterWorkerRequest request;
    request.set_worker_id(worker);
    request.set_session_id("session");
    *request.mutable_device() = SampleDevice();
    ASSERT_OK(store_.Run(
        [&](Session& session) { return RegisterWorker(session, request); }));
    ASSERT_OK(store_.Run([&](Session& session) {
      return BindToToken(session, worker, token_id);
    }));
  }

  absl::Status SpeaksFor(const std::string& worker,
                         const std::string& token_id) {
    return store_.Run([&](Session& session) {
      return CheckSpeaksFor(session, worker, token_id);
    });
  }

  absl::StatusOr<v1::Token> Revoke(const std::string& id) {
    return store_.Run(
        [&](Session& session) { return RevokeToken(session, id); });
  }

  TestStore store_;
};

TEST_F(TokensTest, StoreHasADigestAndNotTheSecret) {
  const v1::CreateTokenResponse created = Create(v1::WORKER);
  const std::vector<TokenRow> rows = All();
  ASSERT_EQ(rows.size(), 1);
  EXPECT_EQ(rows[0].token.id(), created.token().id());
  EXPECT_EQ(rows[0].token.name(), "node 1");
  EXPECT_EQ(rows[0].token.role(), v1::WORKER);
  const auto text = ParseBearer(absl::StrCat("Bearer ", created.text()));
  ASSERT_TRUE(text.has_value());
  EXPECT_EQ(rows[0].secret_sha256, SecretDigest(text->secret));
  EXPECT_THAT(rows[0].token.DebugString(), Not(HasSubstr(text->secret)));
}

TEST_F(TokensTest, CreatedTokenIsValidUntilItIsRevoked) {
  const v1::CreateTokenResponse created = Create(v1::SUBMIT);
  const std::string bearer = absl::StrCat("Bearer ", created.text());
  KnownTokens known;
  known.Replace(All());
  const char* const method = "/assay.v1.EvaluationService/ListTraces";
  EXPECT_OK(known.Check(method, bearer, absl::Now()));
  ASSERT_OK_AND_ASSIGN(const v1::Token revoked, Revoke(created.token().id()));
  EXPECT_GT(revoked.revoke_time_us(), 0);
  known.Replace(All());
  EXPECT_THAT(
      known.Check(method, bearer, absl::Now()),
      StatusIs(absl::StatusCode::kUnauthenticated, HasSubstr("was revoked")));
}

TEST_F(TokensTest, FirstRevocationCounts) {
  const std::string id = Create(v1::SUBMIT).token().id();
  ASSERT_OK_AND_ASSIGN(const v1::Token first, Revoke(id));
  store_.clock().Advance(absl::Hours(1));
  ASSERT_OK_AND_ASSIGN(const v1::Token second, Revoke(id));
  EXPECT_EQ(first.revoke_time_us(), second.revoke_time_us());
  EXPECT_THAT(Revoke("tok-none"),
              StatusIs(absl::StatusCode::kNotFound, HasSubstr("\"tok-none\"")));
}

TEST_F(TokensTest, NamesAndRolesAreChecked) {
  v1::CreateTokenRequest request;
  request.set_role(v1::ADMIN);
  EXPECT_THAT(CheckCreateToken(request),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("name")));
  request.set_name(std::string(101, 'a'));
  EXPECT_THAT(
      CheckCreateToken(request),
      StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("101 bytes")));
  request.set_name("x");
  request.clear_role();
  EXPECT_THAT(CheckCreateToken(request),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("role")));
}

TEST_F(TokensTest, WorkerBelongsToTheTokenThatRegisteredIt) {
  const std::string mine = Create(v1::WORKER).token().id();
  const std::string other = Create(v1::WORKER).token().id();
  EXPECT_OK(SpeaksFor("gpu-1", other));
  Register("gpu-1", mine);
  EXPECT_OK(SpeaksFor("gpu-1", mine));
  EXPECT_THAT(SpeaksFor("gpu-1", other),
              StatusIs(absl::StatusCode::kPermissionDenied,
                       AllOf(HasSubstr("\"gpu-1\""), HasSubstr(mine))));
  EXPECT_OK(SpeaksFor("gpu-2", other));
}

TEST_F(TokensTest, WorkerOfARevokedTokenIsFree) {
  const std::string mine = Create(v1::WORKER).token().id();
  const std::string next = Create(v1::WORKER).token().id();
  Register("gpu-1", mine);
  ASSERT_OK(Revoke(mine));
  EXPECT_OK(SpeaksFor("gpu-1", next));
  Register("gpu-1", next);
  EXPECT_THAT(SpeaksFor("gpu-1", mine),
              StatusIs(absl::StatusCode::kPermissionDenied, HasSubstr(next)));
}

TEST_F(TokensTest, TokenThatNobodyKnowsBindsNothing) {
  Register("gpu-1", "tok-made-up");
  EXPECT_OK(SpeaksFor("gpu-1", ""));
  EXPECT_OK(SpeaksFor("gpu-1", "tok-other"));
}

TEST_F(TokensTest, QuotaIsByTheRoleUnlessItIsGiven) {
  EXPECT_GT(Create(v1::SUBMIT).token().quota().open_jobs(), 0);
  EXPECT_EQ(Create(v1::WORKER).token().quota().open_jobs(), 0);
  v1::CreateTokenRequest request;
  request.set_name("x");
  request.set_role(v1::SUBMIT);
  request.mutable_quota()->set_open_jobs(7);
  ASSERT_OK(store_.Run(
      [&](Session& session) { return CreateToken(session, request); }));
  EXPECT_EQ(All().back().token.quota().open_jobs(), 7);
  EXPECT_EQ(All().back().token.quota().submissions_per_second(), 0);
  request.mutable_quota()->set_open_jobs(-1);
  EXPECT_THAT(
      CheckCreateToken(request),
      StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("below 0")));
}

TEST_F(TokensTest, LatestUseIsKept) {
  const std::string id = Create(v1::WORKER).token().id();
  for (const int64_t time : {2000, 1000}) {
    ASSERT_OK(store_.Run(
        [&](Session& session) { return session.tokens().NoteUse(id, time); }));
  }
  EXPECT_EQ(All()[0].token.last_use_time_us(), 2000);
}

}  // namespace
}  // namespace assay
