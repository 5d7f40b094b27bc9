// gMock matchers for absl::Status and absl::StatusOr.
//
//   EXPECT_THAT(Parse("1"), IsOkAndHolds(1));
//   EXPECT_THAT(Parse("x"), StatusIs(absl::StatusCode::kInvalidArgument,
//                                    HasSubstr("\"x\"")));

#ifndef ASSAY_BASE_STATUS_TESTING_H_
#define ASSAY_BASE_STATUS_TESTING_H_

#include <gmock/gmock.h>

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace assay {

inline const absl::Status& StatusOf(const absl::Status& status) {
  return status;
}
template <typename T>
const absl::Status& StatusOf(const absl::StatusOr<T>& result) {
  return result.status();
}

MATCHER(IsOk, "is OK") {
  *result_listener << StatusOf(arg).ToString();
  return StatusOf(arg).ok();
}

MATCHER_P(IsOkAndHolds, matcher, "is OK and holds a matching value") {
  if (!arg.ok()) {
    *result_listener << arg.status().ToString();
    return false;
  }
  return testing::ExplainMatchResult(matcher, arg.value(), result_listener);
}

MATCHER_P2(StatusIs, code, message_matcher, "has the code and message") {
  const absl::Status& status = StatusOf(arg);
  *result_listener << status.ToString();
  return status.code() == code &&
         testing::ExplainMatchResult(
             message_matcher, std::string(status.message()), result_listener);
}

}  // namespace assay

#define ASSERT_OK(expression) ASSERT_THAT((expression), ::assay::IsOk())
#define EXPECT_OK(expression) EXPECT_THAT((expression), ::assay::IsOk())

// Declares `target` from a StatusOr; the test ends when it is an error.
#define ASSERT_OK_AND_ASSIGN(target, expression)                       \
  ASSERT_OK_AND_ASSIGN_INNER(ASSAY_TEST_CONCAT(or_, __LINE__), target, \
                             expression)
#define ASSERT_OK_AND_ASSIGN_INNER(variable, target, expression) \
  auto variable = (expression);                                  \
  ASSERT_TRUE(variable.ok()) << variable.status();               \
  target = std::move(variable).value()
#define ASSAY_TEST_CONCAT_INNER(a, b) a##b
#define ASSAY_TEST_CONCAT(a, b) ASSAY_TEST_CONCAT_INNER(a, b)

#endif  // ASSAY_BASE_STATUS_TESTING_H_
