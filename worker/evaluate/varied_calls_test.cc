#include "worker/evaluate/varied_calls.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "absl/time/time.h"

namespace assay {
namespace {

using testing::HasSubstr;

std::vector<TimedCall> Calls(const std::vector<double>& microseconds) {
  std::vector<TimedCall> calls;
  for (const double time : microseconds) {
    calls.emplace_back().call_ns = static_cast<int64_t>(time * 1000);
  }
  return calls;
}

TEST(JudgeVariedOutcomeTest, NothingWrongIsFine) {
  EXPECT_FALSE(JudgeVariedOutcome({10, 0, ""}).has_value());
}

TEST(JudgeVariedOutcomeTest, OneWrongCallIsTold) {
  const auto broken = JudgeVariedOutcome({10, 3, "output \"y\": 5 are wrong"});
  ASSERT_TRUE(broken.has_value());
  EXPECT_EQ(broken->rule, "stored_answers");
  EXPECT_THAT(broken->evidence,
              HasSubstr("wrong in 3 of 10 calls on values near those: output "
                        "\"y\": 5 are wrong"));
}

TEST(JudgeVariedTimesTest, ComparesMediansAndQuartiles) {
  const struct {
    const char* what;
    std::vector<double> stored;
    std::vector<double> varied;
    bool is_broken;
  } cases[] = {
      {"equal", {100, 101, 102, 103, 104}, {100, 101, 102, 103, 104}, false},
      {"answers are stored",
       {10, 11, 12, 13, 14},
       {100, 101, 102, 103, 104},
       true},
      {"half of the work is", {50, 51, 52, 53, 54}, {100, 101, 102, 103}, true},
      {"a fifth faster", {84, 85, 86, 87, 88}, {100, 101, 102, 103}, false},
      {"slower on stored ones", {100, 101, 102, 103}, {10, 11, 12, 13}, false},
      {"noise of both",
       {50, 60, 100, 150, 300},
       {60, 90, 160, 170, 290},
       false},
      {"short calls", {1, 1, 1, 1}, {5, 5, 5, 5}, false},
      {"one slow call hides nothing",
       {100, 100, 100, 100, 900},
       {140, 140, 140, 140},
       true},
      {"too few", {10, 10, 10}, {100, 100, 100}, false},
      {"none", {}, {}, false},
  };
  for (const auto& [what, stored, varied, is_broken] : cases) {
    SCOPED_TRACE(what);
    const auto broken = JudgeVariedTimes(Calls(stored), Calls(varied));
    EXPECT_EQ(broken.has_value(), is_broken);
    if (broken) {
      EXPECT_EQ(broken->rule, "faster_on_stored_inputs");
    }
  }
}

TEST(JudgeVariedTimesTest, SaysWhatWasSeen) {
  EXPECT_THAT(
      JudgeVariedTimes(Calls({10, 10, 10, 10}), Calls({100, 100, 100, 100}))
          ->evidence,
      HasSubstr("take 10us, and calls on values near those 100us "
                "(medians of 4 and 4)"));
}

TEST(MixedOrderTest, HalfAreVariedAndNoOrderIsLikeTheNext) {
  const std::vector<bool> order = MixedOrder(50);
  EXPECT_EQ(order.size(), 100u);
  EXPECT_EQ(std::count(order.begin(), order.end(), true), 50);
  EXPECT_NE(MixedOrder(50), order);
  EXPECT_TRUE(MixedOrder(0).empty());
}

}  // namespace
}  // namespace assay
