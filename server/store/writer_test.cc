#include "server/store/writer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <vector>

#include "absl/synchronization/notification.h"
#include "base/file.h"
#include "base/status_testing.h"

namespace assay {
namespace {

using ::testing::_;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

class WriterTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_OK_AND_ASSIGN(folder_, TempDir::Create("assay-writer-"));
    ASSERT_OK_AND_ASSIGN(std::unique_ptr<Database> database, Open());
    ASSERT_OK(database->Execute("CREATE TABLE t (id INTEGER) STRICT"));
    database_ = database.get();
    writer_ = std::make_unique<StoreWriter>(
        std::move(database), /*change_counter=*/0, clock_, /*max_waiting=*/100,
        StoreWriter::Hooks{
            [this](Effects) { ++commits_; },
            [this](const StoreGroup& group) { groups_.push_back(group); },
            nullptr});
  }

  absl::StatusOr<std::unique_ptr<Database>> Open() {
    return Database::Open(folder_->path() + "/test.db",
                          Database::Mode::kReadWriteCreate);
  }

  // Runs the statements as one group, each a task; their results.
  std::vector<absl::Status> RunAsGroup(
      const std::vector<std::string>& statements) {
    absl::Notification started;
    absl::Notification go_on;
    writer_->Post({[&](Session&) {
                     started.Notify();
                     go_on.WaitForNotification();
                     return absl::OkStatus();
                   },
                   [](const absl::Status&) {}});
    started.WaitForNotification();
    std::vector<absl::Status> results;
    for (const std::string& sql : statements) {
      writer_->Post(
          {[this, sql](Session&) { return database_->Execute(sql); },
           [&](const absl::Status& status) { results.push_back(status); }});
    }
    go_on.Notify();
    writer_->Stop();
    return results;
  }

  int64_t Rows() {
    const auto database = Open();
    EXPECT_OK(database);
    Statement statement = (*database)->Prepare("SELECT COUNT(*) FROM t");
    EXPECT_THAT(statement.Step(), IsOkAndHolds(true));
    return statement.Int(0);
  }

  absl::optional<TempDir> folder_;
  FakeClock clock_;
  std::atomic<int> commits_{0};
  // Of the writer's thread, until it has stopped.
  std::vector<StoreGroup> groups_;
  // Of the writer; for its thread alone.
  Database* database_ = nullptr;
  std::unique_ptr<StoreWriter> writer_;
};

TEST_F(WriterTest, FailedTaskIsUndoneAlone) {
  EXPECT_THAT(
      RunAsGroup(
          {"INSERT INTO t VALUES (1)", "SELEKT 1", "INSERT INTO t VALUES (2)"}),
      ElementsAre(IsOk(), StatusIs(absl::StatusCode::kInternal, _), IsOk()));
  EXPECT_EQ(Rows(), 2);
  EXPECT_EQ(commits_, 2);
}

TEST_F(WriterTest, TellsOfEachTransaction) {
  RunAsGroup({"INSERT INTO t VALUES (1)", "INSERT INTO t VALUES (2)"});
  ASSERT_THAT(groups_, SizeIs(2));
  EXPECT_EQ(groups_[0].tasks, 1);
  EXPECT_EQ(groups_[1].tasks, 2);
  EXPECT_OK(groups_[1].status);
  EXPECT_GT(groups_[1].duration, absl::ZeroDuration());
}

TEST_F(WriterTest, FailedTaskThatIsAloneIsUndone) {
  absl::Status result;
  writer_->Post({[&](Session&) -> absl::Status {
                   EXPECT_OK(database_->Execute("INSERT INTO t VALUES (1)"));
                   return absl::AbortedError("no");
                 },
                 [&](const absl::Status& status) { result = status; }});
  writer_->Stop();
  EXPECT_THAT(result, StatusIs(absl::StatusCode::kAborted, "no"));
  EXPECT_EQ(Rows(), 0);
}

TEST_F(WriterTest, LostTransactionFailsTheWholeGroup) {
  const std::vector<absl::Status> results = RunAsGroup(
      {"INSERT INTO t VALUES (1)", "ROLLBACK", "INSERT INTO t VALUES (2)"});
  EXPECT_THAT(results, SizeIs(3));
  EXPECT_THAT(results, Each(StatusIs(absl::StatusCode::kInternal, _)));
  EXPECT_EQ(Rows(), 0);
  EXPECT_EQ(commits_, 1);
  ASSERT_THAT(groups_, SizeIs(2));
  EXPECT_THAT(groups_[1].status, StatusIs(absl::StatusCode::kInternal, _));
}

// As SQLite does by itself when the disk is full.
TEST_F(WriterTest, RollbackGivesItsReasonToTheWholeGroup) {
  const std::vector<absl::Status> results =
      RunAsGroup({"INSERT INTO t VALUES (1)",
                  "CREATE TEMP TRIGGER full BEFORE INSERT ON t BEGIN"
                  " SELECT RAISE(ROLLBACK, 'no room'); END;"
                  "INSERT INTO t VALUES (2)",
                  "INSERT INTO t VALUES (3)"});
  EXPECT_THAT(results, SizeIs(3));
  EXPECT_THAT(results, Each(StatusIs(absl::StatusCode::kInternal,
                                     HasSubstr("no room"))));
  EXPECT_EQ(Rows(), 0);
}

}  // namespace
}  // namespace assay
