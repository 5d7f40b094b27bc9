#include "worker/evaluate/steadiness.h"

#include <gtest/gtest.h>

namespace assay {
namespace {

// 10 % of the samples at each of ten levels from `low` to `high`.
std::vector<int64_t> Ramp(int64_t low, int64_t high) {
  std::vector<int64_t> samples;
  for (int i = 0; i <= 10; ++i) samples.push_back(low + (high - low) * i / 10);
  return samples;
}

TEST(SteadinessTest, EqualSamplesAreSteady) {
  EXPECT_TRUE(IsSteady({100'000, 100'000, 100'000}, {}));
}

TEST(SteadinessTest, TheMiddleMaySpreadOverATenth) {
  // The 10th to the 90th percentile: 8 % and 12 % of the median.
  EXPECT_TRUE(IsSteady(Ramp(950'000, 1'050'000), {}));
  EXPECT_FALSE(IsSteady(Ramp(925'000, 1'075'000), {}));
}

TEST(SteadinessTest, OutliersDoNotCount) {
  std::vector<int64_t> samples(100, 1'000'000);
  for (int i = 0; i < 9; ++i) samples[i] = 9'000'000;
  EXPECT_TRUE(IsSteady(samples, {}));
}

TEST(SteadinessTest, AFewMicrosecondsAreTheTimersOwn) {
  EXPECT_TRUE(IsSteady(Ramp(1'000, 3'000), {}));
  EXPECT_FALSE(IsSteady(Ramp(1'000, 5'000), {}));
}

TEST(SteadinessTest, ASlowedDownDeviceIsNot) {
  v1::DeviceState state;
  state.add_throttle_reasons("power_cap");
  EXPECT_TRUE(IsSteady({100'000, 100'000}, state));
  state.add_throttle_reasons("thermal");
  EXPECT_FALSE(IsSteady({100'000, 100'000}, state));
}

}  // namespace
}  // namespace assay
