#include "server/simulation/lease_simulation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/log.h"
#include "base/status_testing.h"

namespace assay {
namespace {

using ::testing::Gt;
using ::testing::HasSubstr;

class LeaseSimulationTest : public ::testing::Test {
 protected:
  // Refusals are what is simulated.
  void SetUp() override { SetLogThreshold(LogSeverity::kError); }
};

TEST_F(LeaseSimulationTest, NothingIsLostOrDoneTwiceWhateverHappens) {
  SimulationResult total;
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    const std::vector<Step> steps = RandomSteps(seed, 500);
    const SimulationResult result = Simulate(steps);
    ASSERT_EQ(result.fault, "") << "seed " << seed << ", steps:\n"
                                << Describe(Shrink(steps));
    total.jobs += result.jobs;
    total.completed += result.completed;
    total.failed += result.failed;
    total.cancelled += result.cancelled;
    total.repeated_attempts += result.repeated_attempts;
    total.refused += result.refused;
  }
  // It was no idle run.
  EXPECT_THAT(total.jobs, Gt(500));
  EXPECT_THAT(total.completed, Gt(200));
  EXPECT_THAT(total.failed, Gt(10));
  EXPECT_THAT(total.cancelled, Gt(50));
  EXPECT_THAT(total.repeated_attempts, Gt(200));
  EXPECT_THAT(total.refused, Gt(200));
}

TEST_F(LeaseSimulationTest, RunsAreRepeatable) {
  const std::vector<Step> steps = RandomSteps(7, 300);
  ASSERT_OK_AND_ASSIGN(const std::vector<Step> parsed,
                       ParseSteps(Describe(steps)));
  const SimulationResult first = Simulate(steps);
  const SimulationResult second = Simulate(parsed);
  EXPECT_EQ(first.completed, second.completed);
  EXPECT_EQ(first.failed, second.failed);
  EXPECT_EQ(first.repeated_attempts, second.repeated_attempts);
  EXPECT_EQ(first.refused, second.refused);
}

TEST_F(LeaseSimulationTest, UnknownStepIsNamed) {
  EXPECT_THAT(
      ParseSteps("submit 1\njump 2\n"),
      StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("\"jump 2\"")));
}

}  // namespace
}  // namespace assay
