#include "client/cli/last_resort.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>

#include <filesystem>
#include <optional>
#include <string>

#include "absl/time/time.h"
#include "base/child_process.h"
#include "base/file.h"
#include "base/status_testing.h"

namespace assay {
namespace {

absl::StatusOr<ChildProcess> StartSleep() {
  ChildProcess::Options options;
  options.argv = {"/bin/sleep", "1000"};
  return ChildProcess::Start(options);
}

TEST(LastResortTest, KillsProgramsAndRemovesFolders) {
  ASSERT_OK_AND_ASSIGN(const TempDir dir, TempDir::Create("last-resort-"));
  ASSERT_OK(WriteFileAtomically(dir.path() + "/file", "x"));
  ASSERT_OK_AND_ASSIGN(ChildProcess child, StartSleep());
  LastResort last_resort;
  last_resort.AddFolder(dir.path());
  last_resort.AddProgram(child);
  LastResort::CarryOutAll();
  const std::optional<int> status = child.Wait(absl::Seconds(60));
  ASSERT_TRUE(status.has_value());
  EXPECT_TRUE(WIFSIGNALED(*status));
  EXPECT_EQ(WTERMSIG(*status), SIGKILL);
  EXPECT_FALSE(std::filesystem::exists(dir.path()));
}

TEST(LastResortTest, KeptFolderStays) {
  ASSERT_OK_AND_ASSIGN(const TempDir dir, TempDir::Create("last-resort-"));
  LastResort last_resort;
  last_resort.AddFolder(dir.path());
  last_resort.KeepFolder(dir.path());
  LastResort::CarryOutAll();
  EXPECT_TRUE(std::filesystem::exists(dir.path()));
}

TEST(LastResortTest, ProgramThatWasReapedIsLeftAlone) {
  ASSERT_OK_AND_ASSIGN(ChildProcess child, StartSleep());
  LastResort last_resort;
  last_resort.AddProgram(child);
  const int status = child.Stop(absl::Seconds(60));
  LastResort::CarryOutAll();
  EXPECT_EQ(WTERMSIG(status), SIGTERM);
}

TEST(LastResortTest, DestroyedObjectDoesNothingMore) {
  ASSERT_OK_AND_ASSIGN(const TempDir dir, TempDir::Create("last-resort-"));
  {
    LastResort last_resort;
    last_resort.AddFolder(dir.path());
  }
  LastResort::CarryOutAll();
  EXPECT_TRUE(std::filesystem::exists(dir.path()));
}

}  // namespace
}  // namespace assay
