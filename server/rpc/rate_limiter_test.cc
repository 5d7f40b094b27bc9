#include "server/rpc/rate_limiter.h"

#include <gtest/gtest.h>

namespace assay {
namespace {

constexpr Rate kTwoASecond = {2, 4};
constexpr absl::Duration kNow = absl::Hours(1);

TEST(RateLimiterTest, BurstThenTheRate) {
  RateLimiter limiter;
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(limiter.Take("a", kTwoASecond, 1, kNow), absl::ZeroDuration());
  }
  EXPECT_EQ(limiter.Take("a", kTwoASecond, 1, kNow), absl::Milliseconds(500));
  const absl::Duration later = kNow + absl::Milliseconds(500);
  EXPECT_EQ(limiter.Take("a", kTwoASecond, 1, later), absl::ZeroDuration());
  EXPECT_EQ(limiter.Take("a", kTwoASecond, 1, later), absl::Milliseconds(500));
}

TEST(RateLimiterTest, ARefusalTakesNothing) {
  RateLimiter limiter;
  EXPECT_EQ(limiter.Take("a", kTwoASecond, 4, kNow), absl::ZeroDuration());
  for (int i = 0; i < 10; ++i) {
    EXPECT_EQ(limiter.Take("a", kTwoASecond, 2, kNow), absl::Seconds(1));
  }
}

TEST(RateLimiterTest, KeysAreApart) {
  RateLimiter limiter;
  EXPECT_EQ(limiter.Take("a", kTwoASecond, 4, kNow), absl::ZeroDuration());
  EXPECT_EQ(limiter.Take("b", kTwoASecond, 4, kNow), absl::ZeroDuration());
}

TEST(RateLimiterTest, MoreThanABurstIsWaitedForAfterwards) {
  RateLimiter limiter;
  EXPECT_EQ(limiter.Take("a", kTwoASecond, 10, kNow), absl::ZeroDuration());
  EXPECT_EQ(limiter.Take("a", kTwoASecond, 1, kNow), absl::Milliseconds(3500));
}

TEST(RateLimiterTest, APauseFillsNoMoreThanABurst) {
  RateLimiter limiter;
  EXPECT_EQ(limiter.Take("a", kTwoASecond, 4, kNow), absl::ZeroDuration());
  const absl::Duration later = kNow + absl::Hours(1);
  EXPECT_EQ(limiter.Take("a", kTwoASecond, 4, later), absl::ZeroDuration());
  EXPECT_EQ(limiter.Take("a", kTwoASecond, 1, later), absl::Milliseconds(500));
}

}  // namespace
}  // namespace assay
