#include "worker/evaluate/outside_clock.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/time/time.h"

namespace assay {
namespace {

using testing::HasSubstr;

constexpr absl::Duration kOverhead = absl::Microseconds(80);

// A call that claims `claim_us`, and took `unclaimed_us` longer by the worker's
// clock.
TimedCall Call(double claim_us, double unclaimed_us) {
  TimedCall call;
  call.call_ns = call.host_ns = static_cast<int64_t>(claim_us * 1000);
  call.elapsed = absl::Microseconds(claim_us + unclaimed_us);
  return call;
}

CallOverhead Overhead() {
  CallOverhead overhead;
  overhead.least = kOverhead;
  return overhead;
}

bool IsBroken(const std::vector<TimedCall>& calls,
              const OutsideAllowance& allowance = {}) {
  return JudgeOutsideClock(calls, Overhead(), allowance).has_value();
}

// Others are as slow as the machine was busy, which is no licence.
TEST(OutsideClockTest, OverheadIsThatOfTheFastestCallThatDoesNothing) {
  std::vector<TimedCall> pings;
  for (const double us : {2070, 85, 80, 2090, 5000}) {
    pings.push_back(Call(1, us));
  }
  for (TimedCall& ping : pings) ping.time_to_idle = absl::Microseconds(9);
  pings[0].time_to_idle = absl::Seconds(1);
  const CallOverhead overhead = OverheadOf(pings);
  EXPECT_EQ(overhead.least, absl::Microseconds(80));
  EXPECT_EQ(overhead.time_to_idle, absl::Microseconds(9));
}

TEST(OutsideClockTest, NoCallsHaveNoOverhead) {
  EXPECT_EQ(OverheadOf({}).least, absl::ZeroDuration());
}

TEST(OutsideClockTest, HonestCallsPass) {
  EXPECT_FALSE(IsBroken({Call(10, 80), Call(11, 120), Call(12, 160)}));
  EXPECT_FALSE(IsBroken({}));
}

TEST(OutsideClockTest, NoiseInAllButOneOfTheFasterCallsPasses) {
  EXPECT_FALSE(IsBroken({Call(10, 4000), Call(10, 7000), Call(10, 90),
                         Call(90, 900), Call(80, 12000)}));
}

TEST(OutsideClockTest, ForgedTimesFail) {
  // 1 ms of work each, said to be 10 us.
  std::vector<TimedCall> calls;
  for (int i = 0; i < 10; ++i) calls.push_back(Call(10, 1070 + i));
  const auto broken = JudgeOutsideClock(calls, Overhead(), {});
  ASSERT_TRUE(broken.has_value());
  EXPECT_EQ(broken->rule, "time_unaccounted");
  EXPECT_THAT(broken->evidence, HasSubstr("990us longer"));
  EXPECT_THAT(broken->evidence, HasSubstr("claims (10us)"));
}

TEST(OutsideClockTest, ForgingJustWhatTheMedianNeedsFails) {
  // Six of ten are forged, and the others honest, and therefore slower.
  std::vector<TimedCall> calls;
  for (int i = 0; i < 6; ++i) calls.push_back(Call(10, 1070));
  for (int i = 0; i < 4; ++i) calls.push_back(Call(1000, 80));
  EXPECT_TRUE(IsBroken(calls));
}

TEST(OutsideClockTest, ATenthOfAClaimIsAllowed) {
  EXPECT_FALSE(IsBroken({Call(10'000, 1000), Call(10'000, 1000)}));
  EXPECT_TRUE(IsBroken({Call(10'000, 1200), Call(10'000, 1200)}));
}

TEST(OutsideClockTest, WhatIsAllowedBesidesCounts) {
  OutsideAllowance allowance;
  allowance.fixed = absl::Milliseconds(3);
  EXPECT_FALSE(IsBroken({Call(10, 3100)}, allowance));
  EXPECT_TRUE(IsBroken({Call(10, 3400)}, allowance));
}

}  // namespace
}  // namespace assay
