#include "worker/runner/process_census.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "base/status_testing.h"

namespace assay {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// A supervisor, to which orphans come, and its child, the runner. All of them
// end with the test.
class ProcessCensusTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(pipe(life_), 0);
    ASSERT_EQ(pipe(said_), 0);
  }
  void TearDown() override {
    for (const int fd : {life_[0], life_[1], said_[0], said_[1]}) close(fd);
    if (supervisor_ > 0) waitpid(supervisor_, nullptr, 0);
  }

  // Until the test is over.
  void Live(int timeout_ms = -1) const {
    pollfd life = {life_[0], 0, 0};
    if (poll(&life, 1, timeout_ms) != 0) _exit(0);
  }

  // In a child of the caller that lives on.
  pid_t Fork(const std::function<void()>& run = [] {}) const {
    const pid_t pid = fork();
    if (pid != 0) return pid;
    close(life_[1]);
    run();
    Live();
    _exit(0);
  }

  // Starts the two, and waits until `run` is done in the runner.
  void Start(const std::function<void()>& run) {
    supervisor_ = Fork([&] {
      prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
      // Orphans need nobody to wait for them.
      signal(SIGCHLD, SIG_IGN);
      Fork([&] {
        signal(SIGCHLD, SIG_DFL);
        run();
        const pid_t self = getpid();
        if (write(said_[1], &self, sizeof(self)) != sizeof(self)) _exit(1);
      });
    });
    ASSERT_EQ(read(said_[0], &runner_, sizeof(runner_)),
              ssize_t{sizeof(runner_)});
  }

  std::vector<std::string> Others(bool siblings) const {
    return ProcessCensus::Of(runner_, siblings).value().Others();
  }

  int life_[2];
  int said_[2];
  pid_t supervisor_ = 0;
  pid_t runner_ = 0;
};

TEST_F(ProcessCensusTest, ProcessByItselfHasNoOthers) {
  Start([] {});
  EXPECT_THAT(Others(/*siblings=*/false), IsEmpty());
  EXPECT_THAT(Others(/*siblings=*/true), IsEmpty());
}

TEST_F(ProcessCensusTest, ChildrenOfAnyDepthCountWithTheirNames) {
  Start([this] {
    int ready[2];
    if (pipe(ready) != 0) _exit(1);
    Fork([this, ready] {
      prctl(PR_SET_NAME, "sle\xff\nep");
      Fork([ready] {
        prctl(PR_SET_NAME, "deeper");
        if (write(ready[1], "x", 1) != 1) _exit(1);
      });
    });
    char x;
    if (read(ready[0], &x, 1) != 1) _exit(1);
  });
  EXPECT_THAT(Others(/*siblings=*/false), ElementsAre("sle??ep", "deeper"));
  EXPECT_THAT(Others(/*siblings=*/true), ElementsAre("sle??ep", "deeper"));
}

TEST_F(ProcessCensusTest, ChildrenOfOtherThreadsCount) {
  Start([this] {
    std::thread([this] {
      Fork();
      // If it ended its child would be another thread's.
      while (true) pause();
    }).detach();
    // Until there is a child.
    while (waitpid(-1, nullptr, WNOHANG) < 0) usleep(100);
  });
  EXPECT_THAT(Others(/*siblings=*/false), SizeIs(1));
}

TEST_F(ProcessCensusTest, OrphansCountWhereTheyComeTo) {
  Start([this] {
    const pid_t child = Fork([this] {
      setsid();
      Fork();
      _exit(0);
    });
    waitpid(child, nullptr, 0);
  });
  EXPECT_THAT(Others(/*siblings=*/false), IsEmpty());
  EXPECT_THAT(Others(/*siblings=*/true), SizeIs(1));
}

TEST_F(ProcessCensusTest, WhatIsOverDoesNotCount) {
  Start([this] {
    const pid_t child = Fork([] { _exit(0); });
    siginfo_t info;
    waitid(P_PID, child, &info, WEXITED | WNOWAIT);
  });
  EXPECT_THAT(Others(/*siblings=*/false), IsEmpty());
}

TEST_F(ProcessCensusTest, ProcessThatForksItselfOnAndOnIsSeenEachTime) {
  Start([this] {
    const pid_t child = Fork([this] {
      while (true) {
        Live(/*timeout_ms=*/0);
        if (fork() > 0) _exit(0);
      }
    });
    waitpid(child, nullptr, 0);
  });
  ASSERT_OK_AND_ASSIGN(const ProcessCensus census,
                       ProcessCensus::Of(runner_, /*siblings=*/true));
  for (int i = 0; i < 300; ++i) {
    ASSERT_THAT(census.Others(), SizeIs(::testing::Ge(1))) << i;
  }
}

TEST_F(ProcessCensusTest, ProcessThatDoesNotExistIsRefused) {
  EXPECT_THAT(
      ProcessCensus::Of(999999999, /*siblings=*/false),
      StatusIs(absl::StatusCode::kFailedPrecondition,
               ::testing::HasSubstr("the children of process 999999999")));
}

}  // namespace
}  // namespace assay
