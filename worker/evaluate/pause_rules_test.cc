#include "worker/evaluate/pause_rules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace assay {
namespace {

PauseRecord Broken(int64_t broken) {
  PauseRecord record;
  record.pauses = 30;
  record.broken = broken;
  record.cpu_time = broken * absl::Milliseconds(2);
  return record;
}

TEST(PauseRulesTest, WhoStoodStillIsFine) {
  EXPECT_FALSE(JudgePauses(Broken(0)).has_value());
}

TEST(PauseRulesTest, WhoRanInSeveralPausesIsHeld) {
  const auto finding = JudgePauses(Broken(3));
  ASSERT_TRUE(finding.has_value());
  EXPECT_EQ(finding->rule(), "ran_between_calls");
  EXPECT_EQ(finding->effect(), v1::Finding::HOLD);
  EXPECT_EQ(finding->evidence(),
            "the solution's process used 6ms of processor time while it was "
            "stopped between calls, in 3 of 30 pauses");
}

TEST(PauseRulesTest, OnceMayBeAnAccident) {
  EXPECT_EQ(JudgePauses(Broken(2))->effect(), v1::Finding::NOTE);
}

TEST(PauseRulesTest, OtherProcessesAreNoted) {
  PauseRecord record = Broken(0);
  record.cpu_time_of_others = absl::Milliseconds(70);
  const auto finding = JudgePauses(record);
  ASSERT_TRUE(finding.has_value());
  EXPECT_EQ(finding->effect(), v1::Finding::NOTE);
  EXPECT_THAT(finding->evidence(), testing::HasSubstr("70ms"));
}

}  // namespace
}  // namespace assay
