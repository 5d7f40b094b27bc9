#include "worker/evaluate/draw_source.h"

#include <gtest/gtest.h>

#include "absl/time/time.h"
#include "worker/evaluate/settings.h"

namespace assay {
namespace {

int CallsFor(int iterations, absl::Duration draw_cost) {
  EvaluationSettings settings;
  settings.iterations = iterations;
  return TimedCallsPerTrial(settings, draw_cost);
}

TEST(TimedCallsPerTrialTest, CheapDrawsAllowAllThatWereAskedFor) {
  EXPECT_EQ(CallsFor(50, absl::Milliseconds(2)), 50);
  EXPECT_EQ(CallsFor(3, absl::Milliseconds(2)), 3);
}

TEST(TimedCallsPerTrialTest, SlowDrawsLeaveWhatTheirTimeAllows) {
  EXPECT_EQ(CallsFor(50, absl::Milliseconds(10)), 15);
  EXPECT_EQ(CallsFor(10, absl::Milliseconds(10)), 10);
}

TEST(TimedCallsPerTrialTest, ThereAreFiveHoweverSlowTheyAre) {
  EXPECT_EQ(CallsFor(50, absl::Seconds(2)), 5);
  EXPECT_EQ(CallsFor(50, absl::InfiniteDuration()), 5);
  EXPECT_EQ(CallsFor(2, absl::Seconds(2)), 2);
}

TEST(TimedCallsPerTrialTest, DrawsThatCostNothingDoNotCount) {
  EXPECT_EQ(CallsFor(100'000, absl::ZeroDuration()), 100'000);
}

}  // namespace
}  // namespace assay
