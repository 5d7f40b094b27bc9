#include "worker/runner/failure.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace assay {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;

TEST(FailureTest, KeepsAShortMessage) {
  const worker::Failed failed = MakeFailed(worker::Failed::RAISED, "why");
  EXPECT_EQ(failed.kind(), worker::Failed::RAISED);
  EXPECT_EQ(failed.message(), "why");
}

TEST(FailureTest, InvalidUtf8IsReplaced) {
  EXPECT_EQ(MakeFailed(worker::Failed::LOAD, "a\xffz").message(),
            "a\xef\xbf\xbdz");
}

TEST(FailureTest, LongMessageKeepsItsEnds) {
  const std::string message =
      "head" + std::string(size_t{1} << 20, 'x') + "tail";
  const std::string text =
      MakeFailed(worker::Failed::RAISED, message).message();
  EXPECT_THAT(text, StartsWith("head"));
  EXPECT_THAT(text, EndsWith("tail"));
  EXPECT_THAT(text, HasSubstr("cut"));
  EXPECT_LE(text.size(), size_t{64} << 10);
}

TEST(FailureTest, OkIsNoFailure) {
  EXPECT_FALSE(InternalUnlessOk(absl::OkStatus()).has_value());
}

TEST(FailureTest, ErrorIsInternal) {
  const MaybeFailed failed = InternalUnlessOk(absl::UnknownError("oh"));
  ASSERT_TRUE(failed.has_value());
  EXPECT_EQ(failed->kind(), worker::Failed::INTERNAL);
  EXPECT_EQ(failed->message(), "oh");
}

}  // namespace
}  // namespace assay
