#include "server/store/snapshot.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <memory>
#include <string>

#include "absl/strings/str_cat.h"
#include "base/file.h"
#include "base/status_testing.h"
#include "server/store/migrations.h"
#include "server/store/sqlite.h"

namespace assay {
namespace {

class SnapshotTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_OK_AND_ASSIGN(folder_, TempDir::Create("assay-snapshot-"));
    path_ = folder_->path() + "/assay.db";
    ASSERT_OK_AND_ASSIGN(
        store_, Database::Open(path_, Database::Mode::kReadWriteCreate));
    ASSERT_OK(Migrate(*store_, BuiltInMigrations(), path_));
  }

  // Writes the copy to a file of its own.
  std::string Keep(const UniqueFd& fd) {
    const std::string path = folder_->path() + "/copy.db";
    const auto content = ReadOpenFile(fd.get(), "snapshot");
    EXPECT_OK(content);
    EXPECT_OK(WriteFileAtomically(path, *content));
    return path;
  }

  absl::optional<TempDir> folder_;
  std::string path_;
  std::unique_ptr<Database> store_;
};

TEST_F(SnapshotTest, HoldsWhatWasCommitted) {
  ASSERT_OK(store_->Execute(
      "INSERT INTO coordinator_state (name, value) VALUES ('a', 'before')"));
  ASSERT_OK(store_->Execute("BEGIN IMMEDIATE"));
  ASSERT_OK(store_->Execute(
      "INSERT INTO coordinator_state (name, value) VALUES ('b', 'open')"));
  ASSERT_OK_AND_ASSIGN(const UniqueFd fd, MakeSnapshot(path_));
  ASSERT_OK(store_->Execute("COMMIT"));

  const std::string copy = Keep(fd);
  ASSERT_OK_AND_ASSIGN(const auto database,
                       Database::Open(copy, Database::Mode::kReadWriteCreate));
  // It is a store of this version, with its mark.
  EXPECT_OK(Migrate(*database, BuiltInMigrations(), copy));
  Statement names =
      database->Prepare("SELECT group_concat(name) FROM coordinator_state");
  ASSERT_THAT(names.Step(), IsOkAndHolds(true));
  EXPECT_EQ(names.Text(0), "a");
}

TEST_F(SnapshotTest, LeavesNothingBeside) {
  ASSERT_OK(WriteFileAtomically(path_ + ".snapshot", "of one that was killed"));
  ASSERT_OK_AND_ASSIGN(const UniqueFd fd, MakeSnapshot(path_));
  struct stat status;
  ASSERT_EQ(fstat(fd.get(), &status), 0);
  EXPECT_EQ(status.st_nlink, 0);
  EXPECT_FALSE(std::filesystem::exists(path_ + ".snapshot"));
}

TEST_F(SnapshotTest, MissingStoreIsAnError) {
  EXPECT_FALSE(MakeSnapshot(folder_->path() + "/none.db").ok());
}

}  // namespace
}  // namespace assay
