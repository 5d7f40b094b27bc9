#include "worker/runner/restart_limit.h"

#include <gtest/gtest.h>

namespace assay {
namespace {

TEST(RestartLimitTest, AllowsNoMoreThanTheLimit) {
  FakeClock clock;
  RestartLimit limit(2, absl::Minutes(10), clock);
  EXPECT_TRUE(limit.Allow());
  EXPECT_TRUE(limit.Allow());
  EXPECT_FALSE(limit.Allow());
}

TEST(RestartLimitTest, ForgetsWhatIsOlderThanTheWindow) {
  FakeClock clock;
  RestartLimit limit(2, absl::Minutes(10), clock);
  EXPECT_TRUE(limit.Allow());
  clock.Advance(absl::Minutes(6));
  EXPECT_TRUE(limit.Allow());
  clock.Advance(absl::Minutes(4) - absl::Seconds(1));
  EXPECT_FALSE(limit.Allow());
  clock.Advance(absl::Seconds(1));
  EXPECT_TRUE(limit.Allow());
  EXPECT_FALSE(limit.Allow());
}

TEST(RestartLimitTest, RefusalsDoNotCount) {
  FakeClock clock;
  RestartLimit limit(1, absl::Minutes(10), clock);
  EXPECT_TRUE(limit.Allow());
  clock.Advance(absl::Minutes(9));
  EXPECT_FALSE(limit.Allow());
  clock.Advance(absl::Minutes(1));
  EXPECT_TRUE(limit.Allow());
}

TEST(RestartLimitTest, NoneMeansNever) {
  FakeClock clock;
  RestartLimit limit(0, absl::Minutes(10), clock);
  EXPECT_FALSE(limit.Allow());
}

}  // namespace
}  // namespace assay
