#include "base/child_process.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <memory>
#include <string>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "base/file.h"
#include "base/status_testing.h"

namespace assay {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr absl::Duration kLong = absl::Seconds(30);

class ChildProcessTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_OK_AND_ASSIGN(TempDir dir, TempDir::Create("child-process-"));
    dir_ = std::make_unique<TempDir>(std::move(dir));
    output_ = dir_->path() + "/output";
  }

  // A shell that runs `script`.
  absl::StatusOr<ChildProcess> Shell(const std::string& script) {
    ChildProcess::Options options;
    options.argv = {"/bin/sh", "-c", script};
    options.output_path = output_;
    return ChildProcess::Start(options);
  }

  // What a child wrote, once there is a whole line of it.
  std::string AwaitLine() {
    while (true) {
      const auto text = ReadFile(output_);
      if (text.ok() && absl::StrContains(*text, "\n")) return *text;
      usleep(1000);
    }
  }

  std::unique_ptr<TempDir> dir_;
  std::string output_;
};

TEST_F(ChildProcessTest, OutputAndErrorGoToTheFile) {
  ASSERT_OK_AND_ASSIGN(ChildProcess child, Shell("echo out; echo err >&2"));
  ASSERT_EQ(child.Wait(kLong), 0);
  EXPECT_THAT(ReadFile(output_), IsOkAndHolds("out\nerr\n"));
}

TEST_F(ChildProcessTest, TellsTheExitCode) {
  ASSERT_OK_AND_ASSIGN(ChildProcess child, Shell("exit 7"));
  const std::optional<int> status = child.Wait(kLong);
  ASSERT_TRUE(status.has_value());
  EXPECT_EQ(DescribeWaitStatus(*status), "exit code 7");
  EXPECT_EQ(child.Wait(absl::ZeroDuration()), status);
}

TEST_F(ChildProcessTest, TellsTheSignal) {
  ASSERT_OK_AND_ASSIGN(ChildProcess child, Shell("kill -SEGV $$"));
  const std::optional<int> status = child.Wait(kLong);
  ASSERT_TRUE(status.has_value());
  EXPECT_THAT(DescribeWaitStatus(*status),
              StartsWith("killed by signal 11 (Segmentation"));
}

TEST_F(ChildProcessTest, RunningChildHasNoStatus) {
  ASSERT_OK_AND_ASSIGN(ChildProcess child, Shell("exec sleep 1000"));
  EXPECT_EQ(child.Wait(absl::ZeroDuration()), std::nullopt);
  EXPECT_TRUE(WIFSIGNALED(child.Stop(kLong)));
}

TEST_F(ChildProcessTest, ChildMayEndInItsOwnWay) {
  ASSERT_OK_AND_ASSIGN(
      ChildProcess child,
      Shell("trap 'exit 3' TERM; echo ready; while :; do sleep 0.01; done"));
  AwaitLine();
  EXPECT_EQ(DescribeWaitStatus(child.Stop(kLong)), "exit code 3");
}

TEST_F(ChildProcessTest, StubbornChildIsKilled) {
  ASSERT_OK_AND_ASSIGN(
      ChildProcess child,
      Shell("trap '' TERM; echo ready; while :; do sleep 0.01; done"));
  AwaitLine();
  EXPECT_THAT(DescribeWaitStatus(child.Stop(absl::Milliseconds(20))),
              StartsWith("killed by signal 9"));
}

TEST_F(ChildProcessTest, WhatTheChildStartedIsKilledToo) {
  pid_t grandchild = 0;
  {
    ASSERT_OK_AND_ASSIGN(ChildProcess child,
                         Shell("sleep 1000 & echo $!; wait"));
    const std::string line = AwaitLine();
    ASSERT_TRUE(absl::SimpleAtoi(absl::StripSuffix(line, "\n"), &grandchild));
  }
  // Gone, or a zombie that init has yet to reap; hangs if it lives on.
  const std::string stat = absl::StrCat("/proc/", grandchild, "/stat");
  while (true) {
    const auto text = ReadFile(stat);
    if (!text.ok() || absl::StrContains(*text, ") Z ")) break;
  }
}

TEST_F(ChildProcessTest, ChildHasItsOwnGroupAndNoBlockedSignals) {
  sigset_t blocked;
  sigset_t before;
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGTERM);
  ASSERT_EQ(sigprocmask(SIG_BLOCK, &blocked, &before), 0);
  auto child = Shell("exec sleep 1000");
  sigprocmask(SIG_SETMASK, &before, nullptr);
  ASSERT_OK(child);
  EXPECT_EQ(getpgid(child->pid()), child->pid());
  EXPECT_THAT(DescribeWaitStatus(child->Stop(kLong)),
              StartsWith("killed by signal 15"));
}

TEST_F(ChildProcessTest, MissingProgramIsNamed) {
  ChildProcess::Options options;
  options.argv = {"/nonexistent/program"};
  EXPECT_THAT(
      ChildProcess::Start(options),
      StatusIs(absl::StatusCode::kNotFound, HasSubstr("/nonexistent/program")));
}

TEST_F(ChildProcessTest, NoProgramIsRefused) {
  EXPECT_THAT(ChildProcess::Start({}),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "no program to "
                       "start"));
}

}  // namespace
}  // namespace assay
