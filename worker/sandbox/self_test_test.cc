#include "worker/sandbox/self_test.h"

#include <gmock/gmock.h>

#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/file.h"
#include "base/status_testing.h"
#include "worker/launcher/launcher_testing.h"

namespace assay {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

std::string Runfile(const char* program) {
  return absl::StrCat(std::getenv("TEST_SRCDIR"), "/",
                      std::getenv("TEST_WORKSPACE"), "/worker/sandbox/",
                      program);
}

std::string ProbePath() { return Runfile("assay-sandbox-probe"); }

class SelfTestTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_OK_AND_ASSIGN(launcher_, StartTestLauncher());
    ASSERT_OK_AND_ASSIGN(TempDir folder,
                         TempDir::CreateIn("/var/tmp", "assay-test-"));
    folder_ = std::make_unique<TempDir>(std::move(folder));
  }

  absl::StatusOr<std::vector<std::string>> Leaks(SandboxMode mode) {
    SandboxOptions options;
    options.enter_path = Runfile("assay-enter");
    const auto sandbox = Sandbox::Create(mode, *launcher_, options);
    if (!sandbox.ok()) return sandbox.status();
    return TestSandbox(ProbePath(), folder_->path(),
                       InSandbox(*launcher_, *sandbox, ProbePath()));
  }

  std::unique_ptr<Launcher> launcher_;
  std::unique_ptr<TempDir> folder_;
};

TEST_F(SelfTestTest, ASandboxHolds) {
  ASSERT_OK_AND_ASSIGN(const std::vector<std::string> leaks,
                       Leaks(SandboxMode::kStrict));
  EXPECT_THAT(leaks, IsEmpty());
}

// Each of these is tried in a way that works where nothing forbids it.
TEST_F(SelfTestTest, WithoutASandboxTheLeaksAreFound) {
  ASSERT_OK_AND_ASSIGN(const std::vector<std::string> leaks,
                       Leaks(SandboxMode::kOff));
  for (const char* leak :
       {"read a file of the worker", "see a folder of the worker",
        "reach a socket of the worker", "see processes outside",
        "look into another process", "trace a process", "use process_vm_readv",
        "open a socket of kind IPv4", "open a socket of kind netlink",
        "make any system call"}) {
    EXPECT_THAT(leaks, Contains(leak));
  }
}

TEST_F(SelfTestTest, AProbeThatDoesNotEndProvesNothing) {
  EXPECT_THAT(
      TestSandbox(ProbePath(), folder_->path(),
                  [](const std::vector<std::string>&) { return "killed"; }),
      StatusIs(absl::StatusCode::kUnavailable, HasSubstr("\"killed\"")));
}

TEST_F(SelfTestTest, NothingIsLeftInTheFolder) {
  ASSERT_OK(Leaks(SandboxMode::kStrict));
  EXPECT_THAT(
      system(
          absl::StrCat("test -z \"$(ls -A ", folder_->path(), ")\"").c_str()),
      0);
}

}  // namespace
}  // namespace assay
