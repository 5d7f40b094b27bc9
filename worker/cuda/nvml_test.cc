#include "worker/cuda/nvml.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace assay {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(ThrottleWordsTest, NamesWhatHoldsTheClocksDown) {
  EXPECT_THAT(ThrottleWords(0x04), ElementsAre("power_cap"));
  EXPECT_THAT(ThrottleWords(0x08), ElementsAre("hardware_slowdown"));
  EXPECT_THAT(ThrottleWords(0x80 | 0x10),
              ElementsAre("power_brake", "sync_boost"));
}

TEST(ThrottleWordsTest, ThermalReasonsAreOneWord) {
  EXPECT_THAT(ThrottleWords(0x20 | 0x40), ElementsAre("thermal"));
}

TEST(ThrottleWordsTest, IdleAndChosenClocksAreNoReason) {
  EXPECT_THAT(ThrottleWords(0), IsEmpty());
  EXPECT_THAT(ThrottleWords(0x01 | 0x02 | 0x100), IsEmpty());
}

}  // namespace
}  // namespace assay
