#include "server/store/checkpointer.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "base/file.h"
#include "base/status_testing.h"

namespace assay {
namespace {

class CheckpointerTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_OK_AND_ASSIGN(
        database_, Database::Open(path_, Database::Mode::kReadWriteCreate));
    ASSERT_OK(database_->EnableWal());
    database_->LeaveCheckpoints();
    ASSERT_OK(database_->Execute("CREATE TABLE t (x BLOB) STRICT"));
  }

  void WritePages(int pages) {
    ASSERT_OK(database_->Execute(absl::StrCat(
        "INSERT INTO t SELECT randomblob(4000) FROM (WITH RECURSIVE n(i) AS"
        " (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ",
        pages, ") SELECT i FROM n)")));
  }

  int64_t FileSize() {
    return static_cast<int64_t>(std::filesystem::file_size(path_));
  }

  TempDir folder_ = TempDir::Create("assay-checkpointer-").value();
  const std::string path_ = folder_.path() + "/test.db";
  std::unique_ptr<Database> database_;
};

TEST_F(CheckpointerTest, CommitsLeaveTheLogAlone) {
  WritePages(5000);
  EXPECT_GE(database_->log_pages(), 5000);
  // What is in the log is not in the file.
  EXPECT_LT(FileSize(), 1 << 20);
}

TEST_F(CheckpointerTest, MovesALongLogIntoTheFile) {
  ASSERT_OK_AND_ASSIGN(const auto checkpointer, Checkpointer::Create(path_));
  WritePages(5000);
  EXPECT_FALSE(checkpointer->NoteLogPages(database_->log_pages()));
  while (FileSize() < 5000 * 4096) absl::SleepFor(absl::Milliseconds(1));
}

TEST_F(CheckpointerTest, ALogThatIsMovedBeginsAnew) {
  WritePages(5000);
  ASSERT_OK(database_->Checkpoint());
  WritePages(1);
  EXPECT_LT(database_->log_pages(), 100);
}

TEST_F(CheckpointerTest, LeavesAShortLog) {
  ASSERT_OK_AND_ASSIGN(const auto checkpointer, Checkpointer::Create(path_));
  EXPECT_FALSE(checkpointer->NoteLogPages(Checkpointer::kPages - 1));
}

TEST_F(CheckpointerTest, AsksTheWriterToMoveALogThatDoesNotEnd) {
  ASSERT_OK_AND_ASSIGN(const auto checkpointer, Checkpointer::Create(path_));
  EXPECT_TRUE(checkpointer->NoteLogPages(Checkpointer::kTooManyPages));
}

}  // namespace
}  // namespace assay
