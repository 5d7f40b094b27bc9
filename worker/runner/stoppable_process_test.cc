#include "worker/runner/stoppable_process.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <functional>
#include <new>
#include <thread>

#include "absl/time/clock.h"
#include "base/status_testing.h"

namespace assay {
namespace {

using ::testing::HasSubstr;

constexpr absl::Duration kPatience = absl::Seconds(60);

// A child whose threads count in memory that it shares with the test.
class StoppableProcessTest : public ::testing::Test {
 protected:
  static constexpr int kThreads = 3;
  struct Counters {
    std::atomic<int64_t> of_thread[kThreads];
  };

  StoppableProcessTest() {
    void* memory = mmap(nullptr, sizeof(Counters), PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    counters_ = new (memory) Counters();
  }
  ~StoppableProcessTest() override {
    if (child_ > 0) EndChild();
    munmap(counters_, sizeof(Counters));
  }

  void Count(int thread) {
    while (true) {
      ++counters_->of_thread[thread];
      usleep(100);
    }
  }

  // `prepare` is called in the child first.
  void StartChild(const std::function<void()>& prepare = [] {}) {
    child_ = fork();
    if (child_ == 0) {
      prepare();
      for (int i = 1; i < kThreads; ++i) {
        std::thread([this, i] { Count(i); }).detach();
      }
      Count(0);
    }
    AwaitProgress();
  }

  void EndChild() {
    kill(child_, SIGKILL);
    waitpid(child_, nullptr, 0);
    child_ = 0;
  }

  std::vector<int64_t> Read() const {
    return {std::begin(counters_->of_thread), std::end(counters_->of_thread)};
  }

  // Waits until each thread has counted on.
  void AwaitProgress() const {
    const std::vector<int64_t> before = Read();
    for (int i = 0; i < kThreads; ++i) {
      while (counters_->of_thread[i] == before[i]) usleep(100);
    }
  }

  pid_t child_ = 0;
  Counters* counters_;
};

TEST_F(StoppableProcessTest, NothingRunsUntilItContinues) {
  StartChild();
  ASSERT_OK_AND_ASSIGN(const auto process, StoppableProcess::Open(child_));
  EXPECT_EQ(process->pid(), child_);
  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE(process->Stop(kPatience));
    const std::vector<int64_t> before = Read();
    absl::SleepFor(absl::Milliseconds(20));
    EXPECT_EQ(Read(), before);
    const StoppableProcess::Pause pause = process->Continue();
    EXPECT_TRUE(pause.stood_still);
    EXPECT_EQ(pause.cpu_time, absl::ZeroDuration());
    AwaitProgress();
  }
}

TEST_F(StoppableProcessTest, ContinueTellsOfAProcessThatHadItselfWoken) {
  StartChild([] {
    // The kernel stops timers whose signals are ignored.
    signal(SIGCONT, [](int) {});
    sigevent event = {};
    event.sigev_notify = SIGEV_SIGNAL;
    event.sigev_signo = SIGCONT;
    timer_t timer;
    const itimerspec often = {{0, 20000000}, {0, 20000000}};
    if (timer_create(CLOCK_MONOTONIC, &event, &timer) != 0 ||
        timer_settime(timer, 0, &often, nullptr) != 0) {
      _exit(1);
    }
  });
  ASSERT_OK_AND_ASSIGN(const auto process, StoppableProcess::Open(child_));
  // Even where the timer comes in between.
  ASSERT_TRUE(process->Stop(kPatience));
  AwaitProgress();
  const StoppableProcess::Pause pause = process->Continue();
  EXPECT_FALSE(pause.stood_still);
  EXPECT_GT(pause.cpu_time, absl::ZeroDuration());
}

TEST_F(StoppableProcessTest, StoppingTwiceDoesNoHarm) {
  StartChild();
  ASSERT_OK_AND_ASSIGN(const auto process, StoppableProcess::Open(child_));
  ASSERT_TRUE(process->Stop(kPatience));
  EXPECT_TRUE(process->Stop(kPatience));
  EXPECT_TRUE(process->Continue().stood_still);
  EXPECT_TRUE(process->Continue().stood_still);
  AwaitProgress();
}

TEST_F(StoppableProcessTest, ProcessThatIsGoneStaysSo) {
  StartChild();
  ASSERT_OK_AND_ASSIGN(const auto process, StoppableProcess::Open(child_));
  ASSERT_TRUE(process->Stop(kPatience));
  EndChild();
  EXPECT_TRUE(process->Continue().stood_still);
  EXPECT_FALSE(process->Stop(kPatience));
}

TEST_F(StoppableProcessTest, OnlyOtherProcessesThatAreKnownCanBeStopped) {
  EXPECT_THAT(StoppableProcess::Open(getpid()),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       HasSubstr("it is this process")));
  EXPECT_THAT(StoppableProcess::Open(0),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       HasSubstr("its id is not known")));
  StartChild();
  const pid_t gone = child_;
  EndChild();
  EXPECT_THAT(StoppableProcess::Open(gone),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       HasSubstr("pidfd_open: No such process")));
}

}  // namespace
}  // namespace assay
