#include "client/cli/interrupt.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "base/file.h"
#include "base/status_testing.h"
#include "client/cli/last_resort.h"

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

TEST(InterruptDeathTest, SecondSignalLeavesNothingBehind) {
  testing::GTEST_FLAG(death_test_style) = "threadsafe";
  const std::string folder = testing::TempDir() + "/second-signal";
  EXPECT_EXIT(
      {
        Cancellation cancellation;
        const Interrupt interrupt(cancellation);
        LastResort last_resort;
        last_resort.AddFolder(folder);
        const absl::Status created = CreateDirectories(folder);
        kill(getpid(), SIGINT);
        cancellation.Sleep(absl::Seconds(60));
        if (created.ok()) kill(getpid(), SIGTERM);
        while (true) pause();
      },
      testing::ExitedWithCode(143), "");
  EXPECT_FALSE(std::filesystem::exists(folder));
}

}  // namespace
}  // namespace assay
