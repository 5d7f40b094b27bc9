#include "worker/evaluate/stage_clock.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace assay {
namespace {

using testing::ElementsAre;

TEST(StageClockTest, AddsUpStagesThatAreEnteredAgain) {
  FakeClock clock;
  std::vector<v1::JobStage> announced;
  StageClock stages(clock, [&](v1::JobStage s) { announced.push_back(s); });
  stages.Enter(v1::INPUTS);
  clock.Advance(absl::Seconds(1));
  stages.Enter(v1::BASELINE);
  clock.Advance(absl::Milliseconds(1500));
  stages.Enter(v1::INPUTS);
  clock.Advance(absl::Seconds(2));
  stages.Stop();
  clock.Advance(absl::Seconds(100));

  EXPECT_THAT(announced, ElementsAre(v1::INPUTS, v1::BASELINE));
  const std::vector<v1::StageTime> times = stages.times();
  ASSERT_EQ(times.size(), 2u);
  EXPECT_EQ(times[0].stage(), "inputs");
  EXPECT_EQ(times[0].duration().seconds(), 3);
  EXPECT_EQ(times[1].stage(), "baseline");
  EXPECT_EQ(times[1].duration().seconds(), 1);
  EXPECT_EQ(times[1].duration().nanos(), 500'000'000);
}

}  // namespace
}  // namespace assay
