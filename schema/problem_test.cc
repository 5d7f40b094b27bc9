#include "schema/problem.h"

#include "base/status_testing.h"

namespace assay {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

TEST(ToStatusTest, NothingIsOk) { EXPECT_OK(ToStatus({})); }

TEST(ToStatusTest, WarningsAloneAreOk) {
  EXPECT_OK(ToStatus({{"$.a", "odd", true}}));
}

TEST(ToStatusTest, NamesErrorsAndLeavesOutWarnings) {
  EXPECT_THAT(
      ToStatus({{"$.a", "odd", true}, {"$.b", "bad", false}, {"", "x", false}}),
      StatusIs(absl::StatusCode::kInvalidArgument, "$.b: bad; x"));
}

TEST(ToStatusTest, CountsErrorsBeyondTheFirstFew) {
  std::vector<Problem> problems;
  for (int i = 0; i < 10; ++i) {
    problems.push_back({"", "bad" + std::to_string(i), false});
  }
  EXPECT_THAT(ToStatus(problems), StatusIs(absl::StatusCode::kInvalidArgument,
                                           AllOf(HasSubstr("bad7; and 2 more"),
                                                 Not(HasSubstr("bad8")))));
}

}  // namespace
}  // namespace assay
