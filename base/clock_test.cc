#include "base/clock.h"

#include <gtest/gtest.h>

#include "absl/time/clock.h"
#include "absl/time/time.h"

namespace assay {
namespace {

TEST(FakeClockTest, StartsAtAKnownTime) {
  FakeClock clock;
  EXPECT_EQ(absl::FormatTime(clock.Now(), absl::UTCTimeZone()),
            "2026-01-01T00:00:00+00:00");
  EXPECT_EQ(clock.Monotonic(), absl::ZeroDuration());
}

TEST(FakeClockTest, StandsStill) {
  FakeClock clock;
  const absl::Time first = clock.Now();
  EXPECT_EQ(clock.Now(), first);
  EXPECT_EQ(clock.Monotonic(), clock.Monotonic());
}

TEST(FakeClockTest, AdvanceMovesBothClocks) {
  FakeClock clock;
  const absl::Time before = clock.Now();
  clock.Advance(absl::Seconds(90));
  clock.Advance(absl::Milliseconds(5));
  EXPECT_EQ(clock.Now() - before, absl::Milliseconds(90005));
  EXPECT_EQ(clock.Monotonic(), absl::Milliseconds(90005));
}

TEST(RealClockTest, NowIsTheTimeOfTheSystem) {
  const absl::Time before = absl::Now();
  const absl::Time now = Clock::Real().Now();
  EXPECT_LE(before, now);
  EXPECT_LE(now, absl::Now());
}

TEST(RealClockTest, MonotonicNeverGoesBack) {
  absl::Duration last = Clock::Real().Monotonic();
  for (int i = 0; i < 10000; ++i) {
    const absl::Duration now = Clock::Real().Monotonic();
    ASSERT_GE(now, last);
    last = now;
  }
}

TEST(RealClockTest, IsOneObject) { EXPECT_EQ(&Clock::Real(), &Clock::Real()); }

}  // namespace
}  // namespace assay
