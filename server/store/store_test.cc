#include "server/store/store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <linux/capability.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <vector>

#include "absl/synchronization/notification.h"
#include "base/file.h"
#include "base/status_testing.h"
#include "server/catalog/samples_testing.h"
#include "server/store/sqlite.h"

namespace assay {
namespace {

using ::testing::_;
using ::testing::HasSubstr;

class StoreTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_OK_AND_ASSIGN(folder_, TempDir::Create("assay-store-"));
  }

  std::string Path() const { return folder_->path() + "/assay.db"; }

  absl::StatusOr<std::unique_ptr<Store>> Open() {
    Store::Options options;
    options.path = Path();
    options.on_commit = [this](Effects) { ++commits_; };
    return Store::Open(std::move(options));
  }

  static absl::StatusOr<bool> Insert(Session& session,
                                     const std::string& name) {
    v1::DefinitionRecord record;
    *record.mutable_definition() = SampleDefinition(name);
    record.set_digest("digest");
    const absl::Status status = session.definitions().Insert(record);
    if (!status.ok()) return status;
    return true;
  }

  static absl::StatusOr<std::string> ReadName(Store& store,
                                              const std::string& name) {
    absl::Notification finished;
    absl::StatusOr<std::string> result;
    store.Read<std::string>(
        [&](Session& session) -> absl::StatusOr<std::string> {
          auto record = session.definitions().Get(name);
          if (!record.ok()) return record.status();
          return record->definition().name();
        },
        [&](absl::StatusOr<std::string> name) {
          result = std::move(name);
          finished.Notify();
        });
    finished.WaitForNotification();
    return result;
  }

  absl::optional<TempDir> folder_;
  std::atomic<int> commits_{0};
};

TEST_F(StoreTest, ReaderSeesWhatWasWritten) {
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<Store> store, Open());
  ASSERT_OK(store->WriteAndWait<bool>(
      [](Session& session) { return Insert(session, "a"); }));
  EXPECT_THAT(ReadName(*store, "a"), IsOkAndHolds("a"));
}

TEST_F(StoreTest, FailedWorkIsUndoneAlone) {
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<Store> store, Open());
  EXPECT_THAT(store->WriteAndWait<bool>([](Session& session) {
    Insert(session, "a").IgnoreError();
    return absl::StatusOr<bool>(absl::AbortedError("no"));
  }),
              StatusIs(absl::StatusCode::kAborted, "no"));
  EXPECT_THAT(ReadName(*store, "a"), StatusIs(absl::StatusCode::kNotFound, _));
}

TEST_F(StoreTest, WorkPostedWhileBusySharesACommit) {
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<Store> store, Open());
  absl::Notification started;
  absl::Notification go_on;
  store->Write<bool>(
      [&](Session&) -> absl::StatusOr<bool> {
        started.Notify();
        go_on.WaitForNotification();
        return true;
      },
      [](const absl::StatusOr<bool>&) {});
  started.WaitForNotification();
  std::atomic<int> done{0};
  for (int i = 0; i < 20; ++i) {
    store->Write<bool>(
        [i](Session& session) {
          return Insert(session, absl::StrCat("d", i % 19));
        },
        [&](const absl::StatusOr<bool>& result) { done += result.ok(); });
  }
  go_on.Notify();
  store->Stop();
  EXPECT_EQ(commits_, 2);
  // The twentieth repeats a name, and fails without harm to the others.
  EXPECT_EQ(done, 19);
}

TEST_F(StoreTest, ContentSurvivesARestart) {
  {
    ASSERT_OK_AND_ASSIGN(const std::unique_ptr<Store> store, Open());
    ASSERT_OK(store->WriteAndWait<bool>(
        [](Session& session) { return Insert(session, "a"); }));
  }
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<Store> store, Open());
  EXPECT_THAT(ReadName(*store, "a"), IsOkAndHolds("a"));
}

TEST_F(StoreTest, StoppedStoreRefuses) {
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<Store> store, Open());
  store->Stop();
  EXPECT_THAT(store->WriteAndWait<bool>(
                  [](Session& session) { return Insert(session, "a"); }),
              StatusIs(absl::StatusCode::kUnavailable, HasSubstr("stopping")));
  EXPECT_THAT(ReadName(*store, "a"),
              StatusIs(absl::StatusCode::kUnavailable, _));
}

TEST_F(StoreTest, SecondOpenIsRefused) {
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<Store> store, Open());
  EXPECT_THAT(
      Open(),
      StatusIs(absl::StatusCode::kFailedPrecondition,
               HasSubstr(absl::StrCat("in use by another assay-coordinator "
                                      "(process ",
                                      getpid(), ")"))));
}

TEST_F(StoreTest, SecondOpenThroughALinkIsRefused) {
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<Store> store, Open());
  Store::Options options;
  options.path = folder_->path() + "/link.db";
  ASSERT_EQ(symlink(Path().c_str(), options.path.c_str()), 0);
  EXPECT_THAT(Store::Open(std::move(options)),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       HasSubstr("in use by another assay-coordinator")));
}

TEST_F(StoreTest, LinkedStoreHasThePathOfItsFile) {
  ASSERT_OK(Open());
  Store::Options options;
  options.path = folder_->path() + "/link.db";
  ASSERT_EQ(symlink("assay.db", options.path.c_str()), 0);
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<Store> store,
                       Store::Open(std::move(options)));
  EXPECT_EQ(store->path(), std::filesystem::canonical(Path()).string());
}

TEST_F(StoreTest, LinkThatLeadsNowhereIsRefused) {
  ASSERT_EQ(symlink("missing.db", Path().c_str()), 0);
  EXPECT_THAT(Open(), StatusIs(absl::StatusCode::kFailedPrecondition,
                               HasSubstr("is a link to a file")));
}

TEST_F(StoreTest, DatabaseOfAnotherProgramIsLeftAsItIs) {
  {
    ASSERT_OK_AND_ASSIGN(
        const std::unique_ptr<Database> database,
        Database::Open(Path(), Database::Mode::kReadWriteCreate));
    ASSERT_OK(database->Execute("CREATE TABLE bookmarks (url TEXT)"));
  }
  ASSERT_OK_AND_ASSIGN(const std::string before, ReadFile(Path()));
  EXPECT_THAT(Open(), StatusIs(absl::StatusCode::kFailedPrecondition,
                               HasSubstr("belongs to another program")));
  EXPECT_THAT(ReadFile(Path()), IsOkAndHolds(before));
}

TEST_F(StoreTest, FolderIsRefused) {
  ASSERT_OK(CreateDirectories(Path()));
  EXPECT_THAT(Open(), StatusIs(absl::StatusCode::kFailedPrecondition,
                               HasSubstr("is a folder")));
}

TEST_F(StoreTest, FileOfAnotherKindIsRefused) {
  const std::string text(4096, 'x');
  ASSERT_OK(WriteFileAtomically(Path(), text));
  EXPECT_THAT(Open(), StatusIs(absl::StatusCode::kFailedPrecondition,
                               HasSubstr("is not a database")));
  EXPECT_THAT(ReadFile(Path()), IsOkAndHolds(text));
}

TEST_F(StoreTest, MissingFolderIsRefused) {
  Store::Options options;
  options.path = folder_->path() + "/no/such/assay.db";
  EXPECT_THAT(Store::Open(std::move(options)),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       HasSubstr("No such file or directory")));
}

TEST_F(StoreTest, FolderThatCannotBeWrittenIsRefused) {
  Store::Options options;
  // Nobody, root included, can create a file there.
  options.path = "/proc/assay.db";
  EXPECT_THAT(Store::Open(std::move(options)),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       HasSubstr("choose a --store in a folder")));
}

// Root may write every file: this thread may not, for a while.
class WithoutOverride {
 public:
  WithoutOverride() {
    EXPECT_EQ(syscall(SYS_capget, &header_, before_), 0);
    __user_cap_data_struct none[2] = {};
    none[0].permitted = before_[0].permitted;
    none[1].permitted = before_[1].permitted;
    EXPECT_EQ(syscall(SYS_capset, &header_, none), 0);
  }
  ~WithoutOverride() { EXPECT_EQ(syscall(SYS_capset, &header_, before_), 0); }

 private:
  __user_cap_header_struct header_ = {_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct before_[2] = {};
};

TEST_F(StoreTest, ReadOnlyFileIsRefused) {
  ASSERT_OK(WriteFileAtomically(Path(), ""));
  ASSERT_EQ(chmod(Path().c_str(), 0400), 0);
  const WithoutOverride no_override;
  EXPECT_THAT(Open(), StatusIs(absl::StatusCode::kFailedPrecondition,
                               HasSubstr("cannot be written")));
}

TEST_F(StoreTest, NewerStoreIsRefused) {
  { ASSERT_OK(Open()); }
  {
    ASSERT_OK_AND_ASSIGN(
        const std::unique_ptr<Database> database,
        Database::Open(Path(), Database::Mode::kReadWriteCreate));
    ASSERT_OK(database->Execute(
        "INSERT INTO schema_migrations (version, name, sha256)"
        " VALUES (1000, '1000_x.sql', '')"));
  }
  EXPECT_THAT(Open(), StatusIs(absl::StatusCode::kFailedPrecondition,
                               HasSubstr("has schema version 1000")));
}

}  // namespace
}  // namespace assay
