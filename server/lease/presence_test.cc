#include "server/lease/presence.h"

#include <gtest/gtest.h>

#include "base/clock.h"

namespace assay {
namespace {

class PresenceTest : public ::testing::Test {
 protected:
  v1::WorkerRecord Record(const std::string& lease = "") {
    v1::WorkerRecord record;
    record.set_worker_id("w");
    record.set_register_time_us(7);
    record.set_lease_id(lease);
    presence_.Complete(record);
    return record;
  }

  FakeClock clock_;
  Presence presence_{clock_, absl::Seconds(30)};
};

TEST_F(PresenceTest, WorkerThatWasNeverHeardOfIsLost) {
  EXPECT_EQ(Record().state(), v1::WorkerRecord::LOST);
  EXPECT_EQ(Record().last_seen_time_us(), 7);
  EXPECT_TRUE(presence_.IsSilent("w"));
}

TEST_F(PresenceTest, LeaseDecidesBetweenIdleAndBusy) {
  presence_.Touch("w");
  EXPECT_EQ(Record().state(), v1::WorkerRecord::IDLE);
  EXPECT_EQ(Record("lea-1").state(), v1::WorkerRecord::BUSY);
  EXPECT_EQ(Record().last_seen_time_us(), absl::ToUnixMicros(clock_.Now()));
}

TEST_F(PresenceTest, UnwellUntilItSaysOtherwise) {
  EXPECT_TRUE(presence_.SetUnwell("w", "no memory"));
  EXPECT_FALSE(presence_.SetUnwell("w", "no memory"));
  presence_.Touch("w");
  EXPECT_EQ(Record().state(), v1::WorkerRecord::UNWELL);
  EXPECT_EQ(Record("lea-1").state(), v1::WorkerRecord::UNWELL);
  EXPECT_EQ(Record().unwell_reason(), "no memory");
  EXPECT_TRUE(presence_.SetUnwell("w", ""));
  EXPECT_EQ(Record().state(), v1::WorkerRecord::IDLE);
  EXPECT_EQ(Record().unwell_reason(), "");
}

TEST_F(PresenceTest, LostWorkerIsNotUnwell) {
  presence_.SetUnwell("w", "no memory");
  clock_.Advance(absl::Seconds(30));
  EXPECT_EQ(Record().state(), v1::WorkerRecord::LOST);
  EXPECT_EQ(Record().unwell_reason(), "");
}

TEST_F(PresenceTest, SilentWellBeforeItIsLost) {
  presence_.Touch("w");
  clock_.Advance(absl::Seconds(14));
  EXPECT_FALSE(presence_.IsSilent("w"));
  clock_.Advance(absl::Seconds(1));
  EXPECT_TRUE(presence_.IsSilent("w"));
  EXPECT_TRUE(presence_.IsLive("w"));
  presence_.Touch("w");
  EXPECT_FALSE(presence_.IsSilent("w"));
}

}  // namespace
}  // namespace assay
