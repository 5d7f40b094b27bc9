#include "worker/evaluate/timing_rules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "absl/time/time.h"
#include "worker/device/cpu_device.h"

namespace assay {
namespace {

using testing::HasSubstr;

// What timed a call: the device, or the host's clock alone.
constexpr bool kByDevice = false;
constexpr bool kByHost = true;

TimedCall Call(int64_t call_ns, int64_t host_ns, absl::Duration elapsed) {
  TimedCall call;
  call.call_ns = call_ns;
  call.host_ns = host_ns;
  call.elapsed = elapsed;
  return call;
}

// Ten calls of a microsecond that nothing speaks against.
std::vector<TimedCall> HonestCalls() {
  std::vector<TimedCall> calls;
  for (int i = 0; i < 10; ++i) {
    calls.push_back(Call(1000 + i, 1000 + i, absl::Microseconds(50)));
  }
  return calls;
}

TimingLimits Limits() {
  TimingLimits limits;
  limits.floor = absl::Nanoseconds(100);
  return limits;
}

// They show an overhead of 40 us, and a device that answers after 10 us.
std::vector<TimedCall> Pings() {
  TimedCall ping = Call(0, 100, absl::Nanoseconds(40'100));
  ping.time_to_idle = absl::Microseconds(10);
  return std::vector<TimedCall>(5, ping);
}

// Word of the rule that is broken; empty: none.
std::string Broken(const std::vector<TimedCall>& calls) {
  const auto broken = JudgeTimes(calls, Pings(), Limits());
  return broken.has_value() ? broken->rule : "";
}

TEST(JudgeClaimsTest, TimesThatFitPass) {
  EXPECT_FALSE(JudgeClaims(Call(900, 1000, absl::Microseconds(1)), kByDevice));
  EXPECT_FALSE(JudgeClaims(Call(0, 0, absl::ZeroDuration()), kByDevice));
}

TEST(JudgeClaimsTest, ACallCannotLastLongerThanItsRequest) {
  const auto broken =
      JudgeClaims(Call(1000, 2'000'000, absl::Microseconds(300)), kByDevice);
  ASSERT_TRUE(broken.has_value());
  EXPECT_EQ(broken->rule, "impossible_times");
  EXPECT_THAT(broken->evidence, HasSubstr("a call of 2ms"));
}

TEST(JudgeClaimsTest, TheDeviceCannotWorkForLongerThanTheCall) {
  const auto broken =
      JudgeClaims(Call(2'000'000, 100'000, absl::Milliseconds(3)), kByDevice);
  ASSERT_TRUE(broken.has_value());
  EXPECT_EQ(broken->rule, "impossible_times");
  EXPECT_THAT(broken->evidence, HasSubstr("worked for 2ms in a call of 100us"));
}

TEST(JudgeClaimsTest, OneClockGivesACallOneTime) {
  const absl::Duration elapsed = absl::Milliseconds(1);
  EXPECT_FALSE(JudgeClaims(Call(90'000, 90'000, elapsed), kByHost));
  const auto broken = JudgeClaims(Call(10'000, 90'000, elapsed), kByHost);
  ASSERT_TRUE(broken.has_value());
  EXPECT_EQ(broken->rule, "impossible_times");
  EXPECT_THAT(broken->evidence, HasSubstr("claims both 10us and 90us"));
}

TEST(JudgeClaimsTest, ClocksOfDeviceAndHostMayDifferALittle) {
  const absl::Duration elapsed = absl::Seconds(2);
  EXPECT_FALSE(
      JudgeClaims(Call(1'005'000'000, 1'000'000'000, elapsed), kByDevice));
  EXPECT_TRUE(
      JudgeClaims(Call(1'050'000'000, 1'000'000'000, elapsed), kByDevice));
}

TEST(JudgeTimesTest, HonestCallsPass) {
  EXPECT_EQ(Broken(HonestCalls()), "");
  EXPECT_EQ(Broken({}), "");
}

TEST(JudgeTimesTest, WorkOutsideOfMostOfTheFasterCallsFails) {
  std::vector<TimedCall> calls = HonestCalls();
  for (int i = 0; i < 3; ++i) calls[i].outside_ns = 5000;
  EXPECT_EQ(Broken(calls), "work_outside_call");
}

TEST(JudgeTimesTest, WorkOutsideThatIsRareOrTinyPasses) {
  std::vector<TimedCall> calls = HonestCalls();
  for (int i = 0; i < 2; ++i) calls[i].outside_ns = 5000;
  for (int i = 2; i < 10; ++i) calls[i].outside_ns = 500;
  EXPECT_EQ(Broken(calls), "");
}

TEST(JudgeTimesTest, ADeviceThatStaysBusyFails) {
  std::vector<TimedCall> calls = HonestCalls();
  for (int i = 0; i < 3; ++i) calls[i].time_to_idle = absl::Microseconds(131);
  EXPECT_EQ(Broken(calls), "device_busy_after_call");
}

TEST(JudgeTimesTest, ADeviceThatIsLateAtTimesPasses) {
  std::vector<TimedCall> calls = HonestCalls();
  for (int i = 0; i < 2; ++i) calls[i].time_to_idle = absl::Milliseconds(2);
  for (int i = 2; i < 10; ++i) calls[i].time_to_idle = absl::Microseconds(130);
  EXPECT_EQ(Broken(calls), "");
}

TEST(JudgeTimesTest, AMedianBelowTheFloorFails) {
  std::vector<TimedCall> calls = HonestCalls();
  for (int i = 0; i < 6; ++i) calls[i].call_ns = 99;
  EXPECT_EQ(Broken(calls), "below_floor");
}

TEST(JudgeTimesTest, NoCallIsFasterThanOneThatCallsNothing) {
  std::vector<TimedCall> calls = HonestCalls();
  for (TimedCall& call : calls) call.call_ns = call.host_ns = 120;
  std::vector<TimedCall> pings = Pings();
  for (TimedCall& ping : pings) ping.host_ns = 150;
  pings.back().host_ns = 130;
  TimingLimits limits = Limits();
  EXPECT_FALSE(JudgeTimes(calls, pings, limits).has_value());
  limits.pings_are_floor = true;
  const auto broken = JudgeTimes(calls, pings, limits);
  ASSERT_TRUE(broken.has_value());
  EXPECT_EQ(broken->rule, "below_floor");
  EXPECT_THAT(broken->evidence, HasSubstr("less than 130ns"));
}

TEST(JudgeTimesTest, SingleCallsBelowTheFloorPass) {
  std::vector<TimedCall> calls = HonestCalls();
  for (int i = 0; i < 4; ++i) calls[i].call_ns = 99;
  EXPECT_EQ(Broken(calls), "");
}

TEST(JudgeTimesTest, TimeThatNobodyAccountsForFails) {
  std::vector<TimedCall> calls = HonestCalls();
  for (TimedCall& call : calls) call.elapsed = absl::Milliseconds(1);
  EXPECT_EQ(Broken(calls), "time_unaccounted");
}

class LimitsForTest : public testing::Test {
 protected:
  TimingLimits LimitsOf(int64_t output_bytes, bool returns_outputs) {
    ResolvedCase sizes;
    sizes.output_bytes = output_bytes;
    return LimitsFor(device_, sizes, returns_outputs);
  }

  CpuDevice device_{CpuDeviceOptions{}};
};

TEST_F(LimitsForTest, OutputsTakeAsLongAsWritingThem) {
  const double ceiling = device_.memory_speed().ceiling;
  const auto second = static_cast<int64_t>(ceiling);
  EXPECT_NEAR(absl::ToDoubleSeconds(LimitsOf(second, false).floor), 1, 0.01);
  EXPECT_EQ(LimitsOf(second, false).allowance.fixed, absl::ZeroDuration());
}

TEST_F(LimitsForTest, CallsThatFollowOthersWaitForMemory) {
  const auto second = static_cast<int64_t>(device_.memory_speed().copy);
  ResolvedCase sizes;
  sizes.inputs.resize(2);
  sizes.inputs[0].bytes = second;
  sizes.output_bytes = second;
  const TimingLimits limits = LimitsFor(device_, sizes, false);
  EXPECT_NEAR(absl::ToDoubleSeconds(limits.allowance.memory), 1, 0.01);
}

TEST_F(LimitsForTest, ReturnedOutputsAreCopiedAfterwardsAndMayBeViews) {
  const auto second = static_cast<int64_t>(device_.memory_speed().copy);
  const TimingLimits limits = LimitsOf(second, true);
  EXPECT_NEAR(absl::ToDoubleSeconds(limits.allowance.fixed), 4, 0.1);
  EXPECT_EQ(limits.floor, absl::Nanoseconds(1));
}

TEST_F(LimitsForTest, OnlyACallWithoutOutputsTakesNoTime) {
  EXPECT_EQ(LimitsOf(4, false).floor, absl::Nanoseconds(1));
  EXPECT_TRUE(LimitsOf(4, false).pings_are_floor);
  EXPECT_EQ(LimitsOf(0, false).floor, absl::ZeroDuration());
  EXPECT_FALSE(LimitsOf(0, false).pings_are_floor);
}

}  // namespace
}  // namespace assay
