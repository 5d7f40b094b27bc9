#include "client/back_up.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <string>

#include "absl/strings/str_cat.h"
#include "base/file.h"
#include "base/sha256.h"
#include "base/status_testing.h"
#include "client/fake_coordinator.h"

namespace assay {
namespace {

using testing::HasSubstr;

class BackUpTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_OK_AND_ASSIGN(temp_, TempDir::Create("assay-backup-"));
    folder_ = temp_->path() + "/backup";
    Client::Options options;
    options.address = fake_.address();
    ASSERT_OK_AND_ASSIGN(client_, Client::Connect(options));
  }

  void AddBlob(const std::string& content) {
    fake_.Edit([&](FakeCoordinator::State& state) {
      state.blobs[Sha256Hex(content)] = content;
    });
  }
  int GetBlobCalls() {
    int calls = 0;
    fake_.Edit(
        [&](FakeCoordinator::State& state) { calls = state.calls["GetBlob"]; });
    return calls;
  }
  absl::StatusOr<BackUpReport> Run() { return BackUp(*client_, folder_, {}); }
  absl::StatusOr<std::string> Database() {
    return ReadFile(folder_ + "/assay.db");
  }
  absl::StatusOr<std::string> Blob(const std::string& content) {
    const std::string sha256 = Sha256Hex(content);
    return ReadFile(absl::StrCat(folder_, "/assay.db.blobs/",
                                 sha256.substr(0, 2), "/", sha256));
  }

  absl::optional<TempDir> temp_;
  std::string folder_;
  FakeCoordinator fake_;
  std::unique_ptr<Client> client_;
};

TEST_F(BackUpTest, WritesDatabaseAndBlobs) {
  AddBlob("one");
  AddBlob("three");
  const auto report = Run();
  ASSERT_OK(report);
  EXPECT_THAT(Database(), IsOkAndHolds("database"));
  EXPECT_THAT(Blob("one"), IsOkAndHolds("one"));
  EXPECT_THAT(Blob("three"), IsOkAndHolds("three"));
  EXPECT_EQ(report->database_bytes, 8);
  EXPECT_EQ(report->blobs, 2);
  EXPECT_EQ(report->new_blobs, 2);
  EXPECT_EQ(report->new_blob_bytes, 8);
}

TEST_F(BackUpTest, SecondOneBringsWhatIsNew) {
  AddBlob("one");
  ASSERT_OK(Run());
  AddBlob("two");
  fake_.Edit([](FakeCoordinator::State& state) { state.database = "later"; });
  const auto report = Run();
  ASSERT_OK(report);
  EXPECT_THAT(Database(), IsOkAndHolds("later"));
  EXPECT_EQ(report->blobs, 2);
  EXPECT_EQ(report->new_blobs, 1);
  EXPECT_EQ(GetBlobCalls(), 2);
}

TEST_F(BackUpTest, FailedOneLeavesTheOlderOneAsItWas) {
  ASSERT_OK(Run());
  fake_.Edit([](FakeCoordinator::State& state) {
    state.database = "half";
    state.announced_bytes = 8;
  });
  EXPECT_THAT(Run(), StatusIs(absl::StatusCode::kDataLoss,
                              HasSubstr("4 bytes instead of the 8")));
  EXPECT_THAT(Database(), IsOkAndHolds("database"));
  EXPECT_FALSE(std::filesystem::exists(folder_ + "/assay.db.new"));
}

TEST_F(BackUpTest, DamagedBlobIsAnError) {
  fake_.Edit([](FakeCoordinator::State& state) {
    state.blobs[Sha256Hex("right")] = "wrong";
  });
  EXPECT_THAT(Run(),
              StatusIs(absl::StatusCode::kDataLoss, HasSubstr("damaged")));
  EXPECT_FALSE(Blob("right").ok());
}

TEST_F(BackUpTest, BlobWithoutADigestIsRefused) {
  fake_.Edit([](FakeCoordinator::State& state) {
    state.blobs["../../../escaped"] = "content";
  });
  EXPECT_THAT(Run(),
              StatusIs(absl::StatusCode::kDataLoss, HasSubstr("no digest")));
}

TEST_F(BackUpTest, BusyCoordinatorIsTold) {
  fake_.Edit([](FakeCoordinator::State& state) {
    state.errors["BackUp"] = {
        absl::ResourceExhaustedError("a backup is under way")};
  });
  EXPECT_THAT(Run(), StatusIs(absl::StatusCode::kResourceExhausted,
                              HasSubstr("under way")));
}

}  // namespace
}  // namespace assay
