#include "server/store/sqlite.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "assay/v1/workload.pb.h"
#include "base/file.h"
#include "base/status_testing.h"

namespace assay {
namespace {

using ::testing::_;
using ::testing::HasSubstr;

class SqliteTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_OK_AND_ASSIGN(folder_, TempDir::Create("assay-sqlite-"));
    ASSERT_OK_AND_ASSIGN(
        database_, Database::Open(Path(), Database::Mode::kReadWriteCreate));
    ASSERT_OK(database_->EnableWal());
    ASSERT_OK(database_->Execute(
        "CREATE TABLE t (id INTEGER PRIMARY KEY, value BLOB) STRICT"));
  }

  std::string Path() const { return folder_->path() + "/test.db"; }

  absl::Status Insert(int id) {
    return database_->Prepare("INSERT INTO t (id) VALUES (?)").Bind(id).Run();
  }

  int64_t Rows() {
    Statement statement = database_->Prepare("SELECT COUNT(*) FROM t");
    EXPECT_THAT(statement.Step(), IsOkAndHolds(true));
    return statement.Int(0);
  }

  absl::optional<TempDir> folder_;
  std::unique_ptr<Database> database_;
};

TEST_F(SqliteTest, BindsAndReadsEveryType) {
  Statement statement = database_->Prepare("SELECT ?, ?, ?, ?");
  statement.Bind(int64_t{-5})
      .Bind(0.25)
      .Bind("a\0b")
      .Bind(absl::string_view("x\0y", 3));
  ASSERT_THAT(statement.Step(), IsOkAndHolds(true));
  EXPECT_EQ(statement.Int(0), -5);
  EXPECT_EQ(statement.Double(1), 0.25);
  EXPECT_EQ(statement.Text(2), "a");
  EXPECT_EQ(statement.Text(3), absl::string_view("x\0y", 3));
  EXPECT_THAT(statement.Step(), IsOkAndHolds(false));
}

TEST_F(SqliteTest, EmptyTextIsNotNull) {
  Statement statement = database_->Prepare("SELECT ? IS NULL");
  statement.Bind(absl::string_view());
  ASSERT_THAT(statement.Step(), IsOkAndHolds(true));
  EXPECT_EQ(statement.Int(0), 0);
}

TEST_F(SqliteTest, MessageComesBack) {
  v1::Workload workload;
  workload.set_uuid("w1");
  ASSERT_OK(database_->Prepare("INSERT INTO t (value) VALUES (?)")
                .Bind(workload)
                .Run());
  Statement statement = database_->Prepare("SELECT value FROM t");
  ASSERT_THAT(statement.Step(), IsOkAndHolds(true));
  v1::Workload read;
  ASSERT_OK(statement.Message(0, read));
  EXPECT_EQ(read.uuid(), "w1");
}

TEST_F(SqliteTest, DamagedMessageIsDataLoss) {
  ASSERT_OK(database_->Execute("INSERT INTO t (value) VALUES (x'ff')"));
  Statement statement = database_->Prepare("SELECT value FROM t");
  ASSERT_THAT(statement.Step(), IsOkAndHolds(true));
  v1::Workload read;
  EXPECT_THAT(
      statement.Message(0, read),
      StatusIs(absl::StatusCode::kDataLoss, HasSubstr("assay.v1.Workload")));
}

TEST_F(SqliteTest, BadSqlIsReportedByStep) {
  Statement statement = database_->Prepare("SELEKT 1");
  statement.Bind(1);
  EXPECT_THAT(statement.Step(),
              StatusIs(absl::StatusCode::kInternal, HasSubstr("SELEKT")));
}

TEST_F(SqliteTest, TooManyValuesAreReportedByStep) {
  EXPECT_THAT(database_->Prepare("SELECT ?").Bind(1).Bind(2).Step(),
              StatusIs(absl::StatusCode::kInternal, _));
}

TEST_F(SqliteTest, StatementIsReusedWithoutOldValues) {
  for (int i = 0; i < 2; ++i) {
    Statement statement = database_->Prepare("SELECT ?");
    if (i == 0) statement.Bind(7);
    ASSERT_THAT(statement.Step(), IsOkAndHolds(true));
    EXPECT_EQ(statement.Int(0), i == 0 ? 7 : 0);
  }
}

TEST_F(SqliteTest, SameTextTwiceAtOnce) {
  Statement first = database_->Prepare("SELECT ?");
  Statement second = database_->Prepare("SELECT ?");
  first.Bind(1);
  second.Bind(2);
  ASSERT_THAT(first.Step(), IsOkAndHolds(true));
  ASSERT_THAT(second.Step(), IsOkAndHolds(true));
  EXPECT_EQ(first.Int(0) + second.Int(0), 3);
}

TEST_F(SqliteTest, TransactionRollsBackUnlessCommitted) {
  {
    ASSERT_OK_AND_ASSIGN(const Transaction transaction,
                         Transaction::Begin(*database_));
    ASSERT_OK(Insert(1));
  }
  EXPECT_EQ(Rows(), 0);
  ASSERT_OK_AND_ASSIGN(Transaction transaction, Transaction::Begin(*database_));
  ASSERT_OK(Insert(1));
  ASSERT_OK(transaction.Commit());
  EXPECT_EQ(Rows(), 1);
}

TEST_F(SqliteTest, SavepointUndoesItsStepAlone) {
  ASSERT_OK_AND_ASSIGN(Transaction transaction, Transaction::Begin(*database_));
  {
    ASSERT_OK_AND_ASSIGN(Savepoint savepoint, Savepoint::Begin(*database_));
    ASSERT_OK(Insert(1));
    ASSERT_OK(savepoint.Release());
  }
  {
    ASSERT_OK_AND_ASSIGN(const Savepoint savepoint,
                         Savepoint::Begin(*database_));
    ASSERT_OK(Insert(2));
  }
  ASSERT_OK(transaction.Commit());
  EXPECT_EQ(Rows(), 1);
}

TEST_F(SqliteTest, SavepointNeedsATransaction) {
  EXPECT_FALSE(database_->in_transaction());
  EXPECT_THAT(Savepoint::Begin(*database_).status(),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       HasSubstr("transaction")));
  ASSERT_OK_AND_ASSIGN(const Transaction transaction,
                       Transaction::Begin(*database_));
  EXPECT_TRUE(database_->in_transaction());
  EXPECT_OK(Savepoint::Begin(*database_).status());
}

TEST_F(SqliteTest, DatabaseThatCannotHaveAWalIsRefused) {
  ASSERT_OK_AND_ASSIGN(
      const std::unique_ptr<Database> memory,
      Database::Open(":memory:", Database::Mode::kReadWriteCreate));
  EXPECT_THAT(memory->EnableWal(),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       HasSubstr("journal mode \"memory\"")));
}

TEST_F(SqliteTest, ReaderCannotWrite) {
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<Database> reader,
                       Database::Open(Path(), Database::Mode::kReadOnly));
  EXPECT_THAT(
      reader->Execute("INSERT INTO t (id) VALUES (1)"),
      StatusIs(absl::StatusCode::kFailedPrecondition, HasSubstr("readonly")));
}

TEST_F(SqliteTest, ReaderSeesItsSnapshot) {
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<Database> reader,
                       Database::Open(Path(), Database::Mode::kReadOnly));
  ASSERT_OK_AND_ASSIGN(const Transaction snapshot,
                       Transaction::BeginRead(*reader));
  for (int round = 0; round < 2; ++round) {
    Statement statement = reader->Prepare("SELECT COUNT(*) FROM t");
    ASSERT_THAT(statement.Step(), IsOkAndHolds(true));
    EXPECT_EQ(statement.Int(0), 0);
    ASSERT_OK(Insert(round + 1));
  }
}

}  // namespace
}  // namespace assay
