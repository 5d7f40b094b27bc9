#include "client/cli/interrupt.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

namespace assay {
namespace {

TEST(InterruptTest, SignalUsesTheCancellation) {
  Cancellation cancellation;
  const Interrupt interrupt(cancellation);
  EXPECT_EQ(interrupt.signal(), 0);
  kill(getpid(), SIGTERM);
  EXPECT_FALSE(cancellation.Sleep(absl::Seconds(60)));
  EXPECT_EQ(interrupt.signal(), SIGTERM);
}

TEST(InterruptTest, EndsWithoutASignal) {
  Cancellation cancellation;
  { const Interrupt interrupt(cancellation); }
  EXPECT_FALSE(cancellation.cancelled());
}

TEST(InterruptTest, ClosedPipeDoesNotKill) {
  Cancellation cancellation;
  const Interrupt interrupt(cancellation);
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  close(ends[0]);
  EXPECT_EQ(write(ends[1], "x", 1), -1);
  EXPECT_EQ(errno, EPIPE);
  close(ends[1]);
}

TEST(InterruptDeathTest, SecondSignalEndsAtOnce) {
  testing::GTEST_FLAG(death_test_style) = "threadsafe";
  EXPECT_EXIT(
      {
        Cancellation cancellation;
        const Interrupt interrupt(cancellation);
        kill(getpid(), SIGINT);
        cancellation.Sleep(absl::Seconds(60));
        kill(getpid(), SIGINT);
        while (true) pause();
      },
      testing::ExitedWithCode(130), "");
}

}  // namespace
}  // namespace assay
