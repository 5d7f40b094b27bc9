#include "server/auth/known_tokens.h"

#include "absl/strings/str_cat.h"
#include "base/status_testing.h"
#include "server/auth/token_text.h"

namespace assay {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::Pair;

constexpr char kSubmitCall[] = "/assay.v1.EvaluationService/CreateSubmission";
constexpr char kWorkerCall[] = "/assay.v1.WorkerService/RunLease";
constexpr char kHealthCall[] = "/grpc.health.v1.Health/Check";

TokenRow Row(const TokenText& text, v1::TokenRole role) {
  TokenRow row;
  row.token.set_id(text.id);
  row.token.set_role(role);
  row.secret_sha256 = SecretDigest(text.secret);
  return row;
}

std::string Bearer(const TokenText& text) {
  return absl::StrCat("Bearer ", text.ToString());
}

class KnownTokensTest : public testing::Test {
 protected:
  absl::Status Check(absl::string_view method,
                     absl::string_view authorization) {
    return tokens_.Check(method, authorization, now_);
  }

  const TokenText submit_ = DrawTokenText();
  const absl::Time now_ = absl::FromUnixSeconds(1'000'000'030);
  KnownTokens tokens_;
};

TEST_F(KnownTokensTest, WithoutAnyTokenEveryCallIsAllowed) {
  EXPECT_FALSE(tokens_.required());
  EXPECT_OK(Check(kSubmitCall, ""));
  EXPECT_OK(Check(kWorkerCall, "Bearer whatever"));
  EXPECT_TRUE(tokens_.MayStay(""));
}

TEST_F(KnownTokensTest, ValidTokenMayDoWhatItsRoleIsFor) {
  tokens_.Replace({Row(submit_, v1::SUBMIT)});
  EXPECT_OK(Check(kSubmitCall, Bearer(submit_)));
  EXPECT_THAT(Check(kWorkerCall, Bearer(submit_)),
              StatusIs(absl::StatusCode::kPermissionDenied,
                       AllOf(HasSubstr(submit_.id),
                             HasSubstr("has the role \"submit\""),
                             HasSubstr("RunLease needs a token with the role "
                                       "\"worker\""),
                             Not(HasSubstr(submit_.secret)))));
}

TEST_F(KnownTokensTest, CallWithoutATokenIsToldWhichOneItNeeds) {
  tokens_.Replace({Row(submit_, v1::SUBMIT)});
  EXPECT_THAT(
      Check(kWorkerCall, ""),
      StatusIs(absl::StatusCode::kUnauthenticated,
               AllOf(HasSubstr("role \"worker\""), HasSubstr("ASSAY_TOKEN"))));
}

TEST_F(KnownTokensTest, WrongSecretAndUnknownIdLookTheSame) {
  tokens_.Replace({Row(submit_, v1::SUBMIT)});
  TokenText guess = DrawTokenText();
  const absl::Status unknown = Check(kSubmitCall, Bearer(guess));
  guess.id = submit_.id;
  const absl::Status wrong = Check(kSubmitCall, Bearer(guess));
  EXPECT_EQ(unknown.code(), absl::StatusCode::kUnauthenticated);
  EXPECT_EQ(unknown, wrong);
  EXPECT_EQ(Check(kSubmitCall, "Basic abc"), unknown);
}

TEST_F(KnownTokensTest, RevokedTokenIsRefusedAndItsStreamsEnd) {
  TokenRow row = Row(submit_, v1::SUBMIT);
  tokens_.Replace({row});
  EXPECT_TRUE(tokens_.MayStay(submit_.id));
  EXPECT_FALSE(tokens_.MayStay(""));
  row.token.set_revoke_time_us(1);
  tokens_.Replace({row});
  EXPECT_FALSE(tokens_.MayStay(submit_.id));
  EXPECT_THAT(
      Check(kSubmitCall, Bearer(submit_)),
      StatusIs(absl::StatusCode::kUnauthenticated, HasSubstr("was revoked")));
}

TEST_F(KnownTokensTest, RevokingTheLastDoesNotOpenTheDoor) {
  TokenRow row = Row(submit_, v1::SUBMIT);
  row.token.set_revoke_time_us(1);
  tokens_.Replace({row});
  EXPECT_TRUE(tokens_.required());
  EXPECT_THAT(Check(kSubmitCall, ""),
              StatusIs(absl::StatusCode::kUnauthenticated, HasSubstr("")));
}

TEST_F(KnownTokensTest, HealthChecksNeedNone) {
  tokens_.Replace({Row(submit_, v1::SUBMIT)});
  EXPECT_OK(Check(kHealthCall, ""));
  EXPECT_OK(Check(kHealthCall, "Bearer whatever"));
}

TEST_F(KnownTokensTest, CallThatDoesNotExistIsUnimplemented) {
  tokens_.Replace({Row(submit_, v1::ADMIN)});
  EXPECT_THAT(Check("/assay.v1.None/None", Bearer(submit_)),
              StatusIs(absl::StatusCode::kUnimplemented,
                       HasSubstr("/assay.v1.None/None")));
}

TEST_F(KnownTokensTest, UsesAreNotedToAMinuteAndOnce) {
  TokenRow row = Row(submit_, v1::SUBMIT);
  tokens_.Replace({row});
  EXPECT_OK(Check(kSubmitCall, Bearer(submit_)));
  EXPECT_OK(Check(kSubmitCall, Bearer(submit_)));
  const int64_t minute = 1'000'000'020'000'000;
  EXPECT_THAT(tokens_.TakeUses(), ElementsAre(Pair(submit_.id, minute)));
  EXPECT_THAT(tokens_.TakeUses(), IsEmpty());
  row.token.set_last_use_time_us(minute);
  tokens_.Replace({row});
  EXPECT_OK(Check(kSubmitCall, Bearer(submit_)));
  EXPECT_THAT(tokens_.TakeUses(), IsEmpty());
}

}  // namespace
}  // namespace assay
