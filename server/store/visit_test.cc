#include "server/store/visit.h"

#include <memory>
#include <utility>

#include "absl/types/optional.h"
#include "base/file.h"
#include "base/status_testing.h"
#include "server/store/sqlite.h"
#include "server/store/store.h"

namespace assay {
namespace {

using testing::HasSubstr;

class VisitStoreTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_OK_AND_ASSIGN(folder_, TempDir::Create("assay-visit-"));
  }

  std::string path() const { return folder_->path() + "/assay.db"; }

  absl::Status Add(const std::string& id) {
    return VisitStore(path(), Clock::Real(), [&](Session& session) {
      TokenRow row;
      row.token.set_id(id);
      row.token.set_role(v1::ADMIN);
      return session.tokens().Insert(row);
    });
  }

  static size_t Count(Store& store) {
    return store
        .WriteAndWait<size_t>([](Session& session) -> absl::StatusOr<size_t> {
          return session.tokens().All()->size();
        })
        .value();
  }

  absl::StatusOr<std::unique_ptr<Store>> Open() {
    Store::Options options;
    options.path = path();
    return Store::Open(std::move(options));
  }

  absl::optional<TempDir> folder_;
};

TEST_F(VisitStoreTest, CreatesAStoreThatIsMissing) {
  ASSERT_OK(Add("tok-1"));
  ASSERT_OK_AND_ASSIGN(const auto store, Open());
  EXPECT_EQ(Count(*store), 1);
}

TEST_F(VisitStoreTest, WorksBesideARunningCoordinator) {
  ASSERT_OK_AND_ASSIGN(const auto store, Open());
  ASSERT_OK(Add("tok-1"));
  ASSERT_OK(Add("tok-2"));
  EXPECT_EQ(Count(*store), 2);
}

TEST_F(VisitStoreTest, WorkThatFailsChangesNothing) {
  ASSERT_OK(Add("tok-1"));
  EXPECT_FALSE(Add("tok-1").ok());
  ASSERT_OK_AND_ASSIGN(const auto store, Open());
  EXPECT_EQ(Count(*store), 1);
}

TEST_F(VisitStoreTest, LeavesTheStoreOfARunningCoordinatorOfAnotherVersion) {
  ASSERT_OK_AND_ASSIGN(const auto store, Open());
  {
    ASSERT_OK_AND_ASSIGN(
        const auto database,
        Database::Open(path(), Database::Mode::kReadWriteCreate));
    ASSERT_OK(
        database->Execute("DELETE FROM schema_migrations WHERE version ="
                          " (SELECT MAX(version) FROM schema_migrations)"));
  }
  EXPECT_THAT(Add("tok-1"), StatusIs(absl::StatusCode::kFailedPrecondition,
                                     HasSubstr("schema version")));
  EXPECT_EQ(Count(*store), 0);
}

}  // namespace
}  // namespace assay
