#include "base/status_macros.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/status_testing.h"

namespace assay {
namespace {

absl::Status ReturnIfError(const absl::Status& status, bool* reached_end) {
  ASSAY_RETURN_IF_ERROR(status);
  *reached_end = true;
  return absl::OkStatus();
}

absl::StatusOr<int> Sum(const absl::StatusOr<int>& a,
                        const absl::StatusOr<int>& b) {
  ASSAY_ASSIGN_OR_RETURN(const int first, a);
  ASSAY_ASSIGN_OR_RETURN(const int second, b);
  return first + second;
}

TEST(ReturnIfErrorTest, GoesOnWhenOk) {
  bool reached_end = false;
  EXPECT_OK(ReturnIfError(absl::OkStatus(), &reached_end));
  EXPECT_TRUE(reached_end);
}

TEST(ReturnIfErrorTest, ReturnsTheErrorAtOnce) {
  bool reached_end = false;
  EXPECT_THAT(ReturnIfError(absl::AbortedError("lost"), &reached_end),
              StatusIs(absl::StatusCode::kAborted, "lost"));
  EXPECT_FALSE(reached_end);
}

TEST(ReturnIfErrorTest, EvaluatesItsExpressionOnce) {
  int calls = 0;
  const auto count = [&calls] {
    ++calls;
    return absl::OkStatus();
  };
  const auto run = [&count]() -> absl::Status {
    ASSAY_RETURN_IF_ERROR(count());
    return absl::OkStatus();
  };
  ASSERT_OK(run());
  EXPECT_EQ(calls, 1);
}

TEST(ReturnIfErrorTest, IsOneStatement) {
  const auto run = [](bool check) -> absl::Status {
    // NOLINTBEGIN(google-readability-braces-around-statements): the point.
    if (check)
      ASSAY_RETURN_IF_ERROR(absl::InternalError("checked"));
    else
      return absl::OkStatus();
    // NOLINTEND(google-readability-braces-around-statements)
    return absl::OkStatus();
  };
  EXPECT_OK(run(false));
  EXPECT_FALSE(run(true).ok());
}

TEST(AssignOrReturnTest, AssignsTheValues) {
  EXPECT_THAT(Sum(2, 3), IsOkAndHolds(5));
}

TEST(AssignOrReturnTest, ReturnsTheFirstError) {
  EXPECT_THAT(Sum(absl::NotFoundError("a"), absl::AbortedError("b")),
              StatusIs(absl::StatusCode::kNotFound, "a"));
  EXPECT_THAT(Sum(1, absl::AbortedError("b")),
              StatusIs(absl::StatusCode::kAborted, "b"));
}

TEST(AssignOrReturnTest, MovesTheValue) {
  const auto run = []() -> absl::StatusOr<int> {
    ASSAY_ASSIGN_OR_RETURN(
        const std::unique_ptr<int> value,
        absl::StatusOr<std::unique_ptr<int>>(std::make_unique<int>(7)));
    return *value;
  };
  EXPECT_THAT(run(), IsOkAndHolds(7));
}

TEST(AssignOrReturnTest, AssignsToWhatExists) {
  const auto run = []() -> absl::StatusOr<std::string> {
    std::string value = "before";
    ASSAY_ASSIGN_OR_RETURN(value, absl::StatusOr<std::string>("after"));
    return value;
  };
  EXPECT_THAT(run(), IsOkAndHolds("after"));
}

TEST(AnnotateTest, PutsTheContextInFront) {
  EXPECT_THAT(
      Annotate(absl::NotFoundError("no such file"), "reading \"a\""),
      StatusIs(absl::StatusCode::kNotFound, "reading \"a\": no such file"));
}

TEST(AnnotateTest, LeavesOkAlone) {
  EXPECT_EQ(Annotate(absl::OkStatus(), "reading"), absl::OkStatus());
}

}  // namespace
}  // namespace assay
