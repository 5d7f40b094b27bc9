#include "server/lease/lease_monitor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace assay {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr absl::Duration kTtl = absl::Seconds(30);
constexpr absl::Duration kStopTime = absl::Seconds(60);

class LeaseMonitorTest : public ::testing::Test {
 protected:
  // Goes on for that long, with the lease alive.
  void Advance(absl::Duration time) {
    clock_.Advance(time);
    monitor_.Touch("lease");
  }

  FakeClock clock_;
  LeaseMonitor monitor_{clock_, kTtl, kStopTime};
};

TEST_F(LeaseMonitorTest, SilentLeaseExpiresOnce) {
  monitor_.Start("lease");
  clock_.Advance(kTtl - absl::Seconds(1));
  EXPECT_THAT(monitor_.TakeExpired(), IsEmpty());
  clock_.Advance(absl::Seconds(1));
  EXPECT_THAT(monitor_.TakeExpired(), ElementsAre("lease"));
  EXPECT_THAT(monitor_.TakeExpired(), IsEmpty());
  EXPECT_FALSE(monitor_.Touch("lease"));
}

TEST_F(LeaseMonitorTest, JobThatIsNotStoppedInTimeIsTold) {
  monitor_.Start("lease");
  monitor_.NoteTold("lease", "a");
  Advance(kStopTime - absl::Seconds(1));
  EXPECT_THAT(monitor_.TakeUnstopped(), IsEmpty());
  Advance(absl::Seconds(1));
  const auto unstopped = monitor_.TakeUnstopped();
  ASSERT_THAT(unstopped, SizeIs(1));
  EXPECT_EQ(unstopped[0].lease_id, "lease");
  EXPECT_EQ(unstopped[0].job_id, "a");
  EXPECT_THAT(monitor_.TakeUnstopped(), IsEmpty());
}

TEST_F(LeaseMonitorTest, StoppedJobIsNot) {
  monitor_.Start("lease");
  monitor_.NoteTold("lease", "a");
  monitor_.NoteTold("lease", "b");
  monitor_.NoteStopped("lease", "a");
  Advance(kStopTime);
  const auto unstopped = monitor_.TakeUnstopped();
  ASSERT_THAT(unstopped, SizeIs(1));
  EXPECT_EQ(unstopped[0].job_id, "b");
}

TEST_F(LeaseMonitorTest, WhatIsOverHasNothingToStop) {
  monitor_.NoteTold("lease", "never started");
  monitor_.Start("lease");
  monitor_.NoteTold("lease", "a");
  monitor_.Forget("lease");
  monitor_.Start("expired");
  monitor_.NoteTold("expired", "b");
  clock_.Advance(kTtl);
  EXPECT_THAT(monitor_.TakeExpired(), ElementsAre("expired"));
  clock_.Advance(kStopTime);
  EXPECT_THAT(monitor_.TakeUnstopped(), IsEmpty());
}

}  // namespace
}  // namespace assay
