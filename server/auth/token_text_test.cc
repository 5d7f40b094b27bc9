#include "server/auth/token_text.h"

#include "absl/strings/str_cat.h"
#include "base/status_testing.h"

namespace assay {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(TokenTextTest, DrawnOnesCanBeRead) {
  const TokenText drawn = DrawTokenText();
  const auto read = ParseBearer(absl::StrCat("Bearer ", drawn.ToString()));
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(read->id, drawn.id);
  EXPECT_EQ(read->secret, drawn.secret);
  EXPECT_EQ(drawn.secret.size(), 64);
}

TEST(TokenTextTest, TwoDrawsDiffer) {
  EXPECT_NE(DrawTokenText().id, DrawTokenText().id);
  EXPECT_NE(DrawTokenText().secret, DrawTokenText().secret);
}

TEST(TokenTextTest, SchemeIsInAnyCase) {
  EXPECT_TRUE(ParseBearer(absl::StrCat("bearer ", DrawTokenText().ToString())));
}

TEST(TokenTextTest, OtherFormsAreNone) {
  const std::string secret(64, 'a');
  for (const std::string& header :
       {std::string(), std::string("Bearer "), "Basic tok-1." + secret,
        "Bearer tok-1" + secret, "Bearer tok-1." + secret + "a",
        "Bearer tok-1." + secret.substr(1), "Bearer ." + secret,
        "Bearer " + std::string(50, 't') + "." + secret, "tok-1." + secret,
        "Bearer usr-1." + secret}) {
    EXPECT_FALSE(ParseBearer(header).has_value()) << header;
  }
}

TEST(TokenTextTest, DigestDoesNotTellTheSecret) {
  const std::string secret = DrawTokenText().secret;
  EXPECT_EQ(SecretDigest(secret), SecretDigest(secret));
  EXPECT_NE(SecretDigest(secret), SecretDigest(DrawTokenText().secret));
  EXPECT_THAT(SecretDigest(secret), Not(HasSubstr(secret)));
}

TEST(TokenTextTest, ComparesAllBytes) {
  EXPECT_TRUE(EqualInConstantTime("", ""));
  EXPECT_TRUE(EqualInConstantTime("abc", "abc"));
  EXPECT_FALSE(EqualInConstantTime("abc", "abd"));
  EXPECT_FALSE(EqualInConstantTime("abc", "xbc"));
  EXPECT_FALSE(EqualInConstantTime("abc", "ab"));
}

}  // namespace
}  // namespace assay
