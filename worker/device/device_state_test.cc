#include "worker/device/device_state.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace assay {
namespace {

using ::testing::ElementsAre;

v1::DeviceState Reading(int sm_clock, int temperature,
                        std::initializer_list<const char*> reasons) {
  v1::DeviceState state;
  state.set_min_sm_clock_mhz(sm_clock);
  state.set_max_sm_clock_mhz(sm_clock);
  state.set_memory_clock_mhz(3201);
  state.set_max_temperature_c(temperature);
  for (const char* reason : reasons) state.add_throttle_reasons(reason);
  return state;
}

TEST(DeviceStateTest, CoversAllReadings) {
  v1::DeviceState state;
  AddReading(Reading(1800, 40, {"thermal"}), state);
  EXPECT_EQ(state.min_sm_clock_mhz(), 1800);
  AddReading(Reading(1980, 50, {"power_cap", "thermal"}), state);
  AddReading(Reading(1700, 45, {}), state);
  EXPECT_EQ(state.min_sm_clock_mhz(), 1700);
  EXPECT_EQ(state.max_sm_clock_mhz(), 1980);
  EXPECT_EQ(state.memory_clock_mhz(), 3201);
  EXPECT_EQ(state.max_temperature_c(), 50);
  EXPECT_THAT(state.throttle_reasons(), ElementsAre("power_cap", "thermal"));
}

TEST(DeviceStateTest, TheNormalPowerLimitIsNoSlowDown) {
  EXPECT_FALSE(IsSlowedDown(Reading(1980, 40, {})));
  EXPECT_FALSE(IsSlowedDown(Reading(1980, 40, {"power_cap"})));
  EXPECT_TRUE(IsSlowedDown(Reading(1980, 40, {"power_cap", "thermal"})));
  EXPECT_TRUE(IsSlowedDown(Reading(1980, 40, {"hardware_slowdown"})));
}

}  // namespace
}  // namespace assay
