#include "worker/launcher/spawn_options.h"

#include <gmock/gmock.h>
#include <sys/wait.h>

#include <csignal>

namespace assay {
namespace {

ExitStatus WithWaitStatus(int wait_status) {
  ExitStatus exit;
  exit.wait_status = wait_status;
  return exit;
}

TEST(ExitStatusTest, DescribesAnExitCode) {
  EXPECT_EQ(WithWaitStatus(W_EXITCODE(3, 0)).Describe(), "exit code 3");
}

TEST(ExitStatusTest, DescribesASignal) {
  EXPECT_EQ(WithWaitStatus(SIGSEGV).Describe(),
            "killed by signal 11 (segmentation fault)");
}

TEST(ExitStatusTest, DescribesASignalWithoutAName) {
  EXPECT_EQ(DescribeSignal(NSIG + 1), "killed by signal 66");
}

TEST(ExitStatusTest, OnlyExitCodeZeroIsSuccess) {
  EXPECT_TRUE(WithWaitStatus(0).success());
  EXPECT_FALSE(WithWaitStatus(W_EXITCODE(1, 0)).success());
  EXPECT_FALSE(WithWaitStatus(SIGKILL).success());
}

}  // namespace
}  // namespace assay
