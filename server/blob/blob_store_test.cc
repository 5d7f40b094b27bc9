#include "server/blob/blob_store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "base/file.h"
#include "base/status_testing.h"

namespace {

// Paths of what was synced, in order.
std::vector<std::string>& Synced() {
  static std::vector<std::string>& synced = *new std::vector<std::string>;
  return synced;
}

}  // namespace

// In place of the C library's, to see what would survive a power cut.
extern "C" int fsync(int fd) {
  const std::string link = "/proc/self/fd/" + std::to_string(fd);
  Synced().push_back(std::filesystem::read_symlink(link).string());
  return static_cast<int>(syscall(SYS_fsync, fd));
}

namespace assay {
namespace {

using ::testing::_;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class BlobStoreTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_OK_AND_ASSIGN(folder_, TempDir::Create("assay-blobs-"));
    ASSERT_OK_AND_ASSIGN(store_, BlobStore::Open(Folder()));
  }

  std::string Folder() const { return folder_->path() + "/blobs"; }

  absl::Status Put(const std::string& sha256, int64_t size,
                   const std::string& content) {
    auto upload = store_->Create(sha256, size);
    if (!upload.ok()) return upload.status();
    const absl::Status appended = (*upload)->Append(content);
    return appended.ok() ? (*upload)->Commit() : appended;
  }

  int FilesLeft() const {
    int files = 0;
    for (const auto& entry :
         std::filesystem::recursive_directory_iterator(Folder())) {
      files += entry.is_regular_file();
    }
    return files;
  }

  absl::optional<TempDir> folder_;
  std::unique_ptr<BlobStore> store_;
  const std::string content_ = "content";
  const std::string sha256_ = Sha256Hex(content_);
};

TEST_F(BlobStoreTest, StoresUnderItsDigest) {
  EXPECT_FALSE(store_->Has(sha256_));
  ASSERT_OK(Put(sha256_, 7, content_));
  EXPECT_TRUE(store_->Has(sha256_));
  EXPECT_THAT(ReadFile(Folder() + "/" + sha256_.substr(0, 2) + "/" + sha256_),
              IsOkAndHolds(content_));
  EXPECT_OK(store_->OpenForReading(sha256_));
}

TEST_F(BlobStoreTest, StoringAgainIsHarmless) {
  ASSERT_OK(Put(sha256_, 7, content_));
  EXPECT_OK(Put(sha256_, 7, content_));
  EXPECT_EQ(FilesLeft(), 1);
}

TEST_F(BlobStoreTest, EmptyBlobIsABlob) {
  ASSERT_OK(Put(Sha256Hex(""), 0, ""));
  EXPECT_TRUE(store_->Has(Sha256Hex("")));
}

TEST_F(BlobStoreTest, WrongContentIsRefusedAndGone) {
  EXPECT_THAT(Put(sha256_, 7, "CONTENT"),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("not the announced")));
  EXPECT_THAT(Put(sha256_, 8, content_),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("announced \"8\"")));
  EXPECT_THAT(
      Put(sha256_, 6, content_),
      StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("larger than")));
  EXPECT_FALSE(store_->Has(sha256_));
  EXPECT_EQ(FilesLeft(), 0);
}

TEST_F(BlobStoreTest, NamesThatAreNoDigestsAreRefused) {
  for (const std::string& name :
       {std::string(), std::string("../../etc/passwd"), sha256_.substr(1),
        sha256_ + "0", std::string(64, 'G'), std::string(64, 'A'),
        "../" + sha256_.substr(3)}) {
    EXPECT_THAT(store_->Create(name, 1),
                StatusIs(absl::StatusCode::kInvalidArgument, _))
        << name;
    EXPECT_FALSE(store_->Has(name)) << name;
    EXPECT_THAT(store_->OpenForReading(name),
                StatusIs(absl::StatusCode::kInvalidArgument, _))
        << name;
  }
}

TEST_F(BlobStoreTest, SizesThatCannotBeAreRefused) {
  EXPECT_THAT(store_->Create(sha256_, -1),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("-1")));
  EXPECT_THAT(store_->Create(sha256_, BlobStore::kMaxBlobBytes + 1),
              StatusIs(absl::StatusCode::kInvalidArgument, _));
}

TEST_F(BlobStoreTest, MissingBlobIsNotFound) {
  EXPECT_THAT(store_->OpenForReading(sha256_),
              StatusIs(absl::StatusCode::kNotFound, HasSubstr("PutBlob")));
}

TEST_F(BlobStoreTest, StoredBlobIsSyncedWithItsFolders) {
  Synced().clear();
  ASSERT_OK(Put(sha256_, 7, content_));
  EXPECT_THAT(Synced(),
              ElementsAre(HasSubstr("/uploads/"),
                          Folder() + "/" + sha256_.substr(0, 2), Folder()));
}

TEST_F(BlobStoreTest, OpeningClearsWhatWasCutOff) {
  ASSERT_OK_AND_ASSIGN(auto upload, store_->Create(sha256_, 7));
  ASSERT_OK(upload->Append("con"));
  EXPECT_EQ(FilesLeft(), 1);
  ASSERT_OK(BlobStore::Open(Folder()));
  EXPECT_EQ(FilesLeft(), 0);
}

}  // namespace
}  // namespace assay
