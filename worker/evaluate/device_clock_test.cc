#include "worker/evaluate/device_clock.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>

namespace assay {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// What it costs to have the device change hands, and back.
constexpr double kChange = 275;

// A watched call in which the device was given away for work of that long.
TimedCall Watched(const std::vector<double>& work_us) {
  TimedCall call;
  for (const double us : work_us) {
    call.turns.push_back(absl::Microseconds(kChange + us));
  }
  return call;
}

// Around a call the caches are flushed, and a word is written.
std::vector<TimedCall> Pings() {
  return {Watched({35, 0}), Watched({36, 0}), Watched({36, 0})};
}

// A call of the length, with what is around it.
TimedCall Call(double us) { return Watched({36, us, 0}); }

bool IsBroken(const std::vector<TimedCall>& calls, double claimed_us,
              absl::Duration fixed = absl::ZeroDuration()) {
  return JudgeDeviceClock(calls, Pings(), absl::Microseconds(claimed_us), fixed)
      .has_value();
}

TEST(DeviceClockTest, ChangesAndWhatIsAroundACallAreTakenOff) {
  const std::vector<TimedCall> calls = {Call(40), Watched({36 + 40}),
                                        Watched({36, 10, 20, 10, 0}), Call(-3)};
  EXPECT_THAT(DeviceTimes(calls, Pings()),
              ElementsAre(absl::Microseconds(40), absl::Microseconds(40),
                          absl::Microseconds(40), absl::ZeroDuration()));
}

TEST(DeviceClockTest, ATurnThatWasCutShortIsNoWork) {
  std::vector<TimedCall> pings = Pings();
  pings.push_back(Watched({-90, 36, 0}));
  EXPECT_THAT(DeviceTimes({Watched({-240, 1, 36, 40, 0})}, pings),
              ElementsAre(absl::Microseconds(41)));
}

TEST(DeviceClockTest, NothingIsSaidWhereNothingWasSeen) {
  EXPECT_THAT(DeviceTimes({Call(40)}, {Watched({})}), IsEmpty());
  EXPECT_THAT(DeviceTimes({Call(40)}, {}), IsEmpty());
  EXPECT_FALSE(JudgeDeviceClock({Call(40)}, {}, absl::ZeroDuration(),
                                absl::ZeroDuration()));
}

TEST(DeviceClockTest, ClaimsThatAccountForTheWorkPass) {
  EXPECT_FALSE(IsBroken({Call(40), Call(41)}, 40));
  EXPECT_FALSE(IsBroken({Call(2100)}, 2000));
  EXPECT_FALSE(IsBroken({Call(4)}, 2));
  // Longer than the work: with pauses in it.
  EXPECT_FALSE(IsBroken({Call(40)}, 4000));
}

TEST(DeviceClockTest, EachTurnMayBeOffByALittle) {
  EXPECT_FALSE(IsBroken({Watched({36, 13, 13, 13, 13, 13, 0})}, 45));
  EXPECT_TRUE(IsBroken({Watched({36, 71, 0})}, 40));
}

TEST(DeviceClockTest, AClaimThatIsTooShortIsFound) {
  const auto broken =
      JudgeDeviceClock({Call(45), Call(41), Call(400)}, Pings(),
                       absl::Microseconds(5), absl::ZeroDuration());
  ASSERT_TRUE(broken.has_value());
  EXPECT_EQ(broken->rule, "device_time_unaccounted");
  EXPECT_THAT(broken->evidence, HasSubstr("for 41us or longer in each call"));
  EXPECT_THAT(broken->evidence, HasSubstr("claims 5us"));
}

TEST(DeviceClockTest, OneCallThatFitsClearsTheClaim) {
  EXPECT_FALSE(IsBroken({Call(5000), Call(44), Call(700)}, 40));
}

TEST(DeviceClockTest, CopiesOfWhatIsReturnedAreNoneOfTheClaim) {
  EXPECT_TRUE(IsBroken({Call(90)}, 40));
  EXPECT_FALSE(IsBroken({Call(90)}, 40, absl::Microseconds(50)));
}

}  // namespace
}  // namespace assay
