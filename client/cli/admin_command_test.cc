#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "absl/types/optional.h"
#include "base/file.h"
#include "base/sha256.h"
#include "base/status_testing.h"
#include "client/cli/cli_testing.h"
#include "client/fake_coordinator.h"

namespace assay {
namespace {

using testing::HasSubstr;

class AdminCommandTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_OK_AND_ASSIGN(temp_, TempDir::Create("assay-admin-"));
    folder_ = temp_->path() + "/backup";
    fake_.Edit([](FakeCoordinator::State& state) {
      state.database = std::string(3000000, 'x');
      state.blobs[Sha256Hex("blob")] = "blob";
    });
  }

  absl::optional<TempDir> temp_;
  std::string folder_;
  FakeCoordinator fake_;
};

TEST_F(AdminCommandTest, BackupSaysWhatItWroteAndHowToStartFromIt) {
  const CliResult result =
      RunCli({"admin", "backup", folder_, "--server", fake_.address()});
  EXPECT_EQ(result.code, 0);
  EXPECT_THAT(result.out, HasSubstr("backed up to " + folder_));
  EXPECT_THAT(result.out, HasSubstr("2.9 MiB and 1 blob, 1 of them new (4 B)"));
  EXPECT_THAT(result.out, HasSubstr("--store " + folder_ + "/assay.db"));
}

TEST_F(AdminCommandTest, BackupTellsProgramsInJson) {
  const CliResult result = RunCli(
      {"admin", "backup", folder_, "--json", "--server", fake_.address()});
  EXPECT_EQ(result.code, 0);
  EXPECT_THAT(result.out, HasSubstr("\"database_bytes\": 3000000"));
  EXPECT_THAT(result.out, HasSubstr("\"new_blobs\": 1"));
}

TEST_F(AdminCommandTest, FolderThatCannotBeWrittenIsAnError) {
  const CliResult result =
      RunCli({"admin", "backup", "/proc/backup", "--server", fake_.address()});
  EXPECT_NE(result.code, 0);
  EXPECT_THAT(result.err, HasSubstr("/proc/backup"));
}

}  // namespace
}  // namespace assay
