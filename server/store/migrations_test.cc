#include "server/store/migrations.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>

#include "base/file.h"
#include "base/status_testing.h"

namespace assay {
namespace {

using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class MigrationsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_OK_AND_ASSIGN(folder_, TempDir::Create("assay-migrations-"));
    ASSERT_OK_AND_ASSIGN(database_,
                         Database::Open(folder_->path() + "/assay.db",
                                        Database::Mode::kReadWriteCreate));
  }

  absl::optional<TempDir> folder_;
  std::unique_ptr<Database> database_;
  const std::vector<Migration> two_ = {
      {1, "0001_create_a.sql", "CREATE TABLE a (x INTEGER NOT NULL) STRICT;"},
      {2, "0002_create_b.sql", "CREATE TABLE b (x INTEGER NOT NULL) STRICT;"}};
};

TEST_F(MigrationsTest, BuiltInOnesCountUpAndFollowTheNames) {
  ASSERT_FALSE(BuiltInMigrations().empty());
  for (size_t i = 0; i < BuiltInMigrations().size(); ++i) {
    const Migration& migration = BuiltInMigrations()[i];
    EXPECT_EQ(migration.version, static_cast<int>(i) + 1);
    EXPECT_EQ(std::stoi(migration.name), migration.version);
    EXPECT_THAT(migration.name, EndsWith(".sql"));
  }
}

TEST_F(MigrationsTest, BuiltInOnesApplyAndRepeat) {
  ASSERT_OK(Migrate(*database_, BuiltInMigrations(), "assay.db"));
  EXPECT_OK(Migrate(*database_, BuiltInMigrations(), "assay.db"));
  EXPECT_OK(database_->Execute("SELECT COUNT(*) FROM jobs"));
}

TEST_F(MigrationsTest, OlderStoreIsBroughtUp) {
  ASSERT_OK(Migrate(*database_, {two_[0]}, "assay.db"));
  ASSERT_OK(Migrate(*database_, two_, "assay.db"));
  EXPECT_OK(database_->Execute("INSERT INTO b (x) VALUES (1)"));
}

TEST_F(MigrationsTest, EditedMigrationIsRefused) {
  ASSERT_OK(Migrate(*database_, two_, "assay.db"));
  std::vector<Migration> edited = two_;
  edited[0].sql += " ";
  EXPECT_THAT(Migrate(*database_, edited, "assay.db"),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       HasSubstr("another text of \"0001_create_a.sql\"")));
}

TEST_F(MigrationsTest, NewerStoreIsRefused) {
  ASSERT_OK(Migrate(*database_, two_, "assay.db"));
  EXPECT_THAT(
      Migrate(*database_, {two_[0]}, "assay.db"),
      StatusIs(absl::StatusCode::kFailedPrecondition,
               "store \"assay.db\" has schema version 2, this program knows up "
               "to 1: use a newer assay-coordinator"));
}

TEST_F(MigrationsTest, DatabaseOfAnotherProgramIsRefused) {
  ASSERT_OK(database_->Execute("CREATE TABLE bookmarks (url TEXT)"));
  EXPECT_THAT(Migrate(*database_, two_, "assay.db"),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       HasSubstr("another program")));
}

TEST_F(MigrationsTest, HistoryOfAnotherProgramIsRefused) {
  ASSERT_OK(database_->Execute(
      "CREATE TABLE schema_migrations (version INTEGER, dirty INTEGER)"));
  EXPECT_THAT(Migrate(*database_, two_, "assay.db"),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       HasSubstr("belongs to another program")));
}

TEST_F(MigrationsTest, MarkOfAnotherProgramIsRefused) {
  ASSERT_OK(database_->Execute("PRAGMA application_id = 42"));
  EXPECT_THAT(Migrate(*database_, two_, "assay.db"),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       HasSubstr("belongs to another program")));
}

TEST_F(MigrationsTest, VersionBeforeTheFirstIsRefused) {
  ASSERT_OK(Migrate(*database_, two_, "assay.db"));
  for (const char* version : {"0", "-1", "4294967297"}) {
    ASSERT_OK(database_->Execute(
        absl::StrCat("UPDATE schema_migrations SET version = ", version,
                     " WHERE name = '0002_create_b.sql';")));
    EXPECT_THAT(Migrate(*database_, two_, "assay.db"),
                StatusIs(absl::StatusCode::kFailedPrecondition,
                         HasSubstr("store \"assay.db\"")))
        << version;
  }
}

TEST_F(MigrationsTest, StoreFromBeforeTheMarkGetsIt) {
  ASSERT_OK(Migrate(*database_, {two_[0]}, "assay.db"));
  ASSERT_OK(database_->Execute("PRAGMA application_id = 0"));
  ASSERT_OK(Migrate(*database_, two_, "assay.db"));
  Statement statement = database_->Prepare("PRAGMA application_id");
  ASSERT_THAT(statement.Step(), IsOkAndHolds(true));
  EXPECT_EQ(statement.Int(0), kApplicationId);
}

TEST_F(MigrationsTest, FailedMigrationLeavesNothing) {
  std::vector<Migration> broken = two_;
  broken[1].sql = "CREATE TABLE b (x INTEGER) STRICT; SELEKT 1;";
  EXPECT_THAT(Migrate(*database_, broken, "assay.db"),
              StatusIs(absl::StatusCode::kInternal,
                       AllOf(StartsWith("assay.db: applying 0002_create_b.sql"),
                             HasSubstr("SELEKT"))));
  EXPECT_OK(Migrate(*database_, two_, "assay.db"));
}

}  // namespace
}  // namespace assay
