#include "worker/runner/call_timer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

namespace assay {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

void TimeNothing(CallTimer& timer) {
  EXPECT_FALSE(timer.Prepare(0).has_value());
  timer.Start();
  EXPECT_FALSE(timer.Stop().has_value());
}

TEST(CpuCallTimerTest, TimesEachCall) {
  CpuCallTimer timer;
  timer.Begin();
  TimeNothing(timer);
  TimeNothing(timer);
  std::vector<CallTime> times;
  EXPECT_FALSE(timer.Finish(times).has_value());
  ASSERT_THAT(times, SizeIs(2));
  for (const CallTime& time : times) {
    EXPECT_GE(time.call_ns, 0);
    EXPECT_EQ(time.host_ns, time.call_ns);
  }
}

TEST(CpuCallTimerTest, BeginForgetsCallsOfABatchThatEndedEarly) {
  CpuCallTimer timer;
  timer.Begin();
  TimeNothing(timer);
  timer.Begin();
  std::vector<CallTime> times;
  EXPECT_FALSE(timer.Finish(times).has_value());
  EXPECT_THAT(times, IsEmpty());
}

TEST(CpuCallTimerTest, FlushesAnySizeInAnyOrder) {
  CpuCallTimer timer;
  EXPECT_FALSE(timer.Prepare(4096).has_value());
  EXPECT_FALSE(timer.Prepare(1 << 20).has_value());
  EXPECT_FALSE(timer.Prepare(1).has_value());
}

TEST(CpuCallTimerTest, FlushOfMoreThanThereIsFails) {
  CpuCallTimer timer;
  const MaybeFailed failed =
      timer.Prepare(std::numeric_limits<int64_t>::max() / 2);
  ASSERT_TRUE(failed.has_value());
  EXPECT_EQ(failed->kind(), worker::Failed::INTERNAL);
  EXPECT_FALSE(timer.Prepare(4096).has_value());
}

}  // namespace
}  // namespace assay
