// AdminService.BackUp, and starting from what it gives.

#include <gmock/gmock.h>
#include <grpcpp/grpcpp.h>
#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "absl/time/clock.h"
#include "base/file.h"
#include "base/grpc_status.h"
#include "base/sha256.h"
#include "base/status_testing.h"
#include "server/blob/blob_store.h"
#include "server/coordinator.h"
#include "server/coordinator_fixture_testing.h"
#include "server/store/sqlite.h"

namespace assay {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

struct Backup {
  v1::BackUpResponse::Header header;
  std::string database;
  std::vector<std::string> blobs;
  absl::Status status;
};

class CoordinatorBackupTest : public CoordinatorTest {
 protected:
  // One call, from the client's side.
  struct Call {
    explicit Call(const TestCoordinator& coordinator)
        : stub(v1::AdminService::NewStub(coordinator.channel())) {
      context.set_deadline(std::chrono::system_clock::now() +
                           std::chrono::minutes(1));
      reader = stub->BackUp(&context, v1::BackUpRequest());
    }
    std::unique_ptr<v1::AdminService::Stub> stub;
    grpc::ClientContext context;
    std::unique_ptr<grpc::ClientReader<v1::BackUpResponse>> reader;
  };

  Backup BackUp() {
    Call call(test_);
    Backup backup;
    v1::BackUpResponse part;
    while (call.reader->Read(&part)) {
      if (part.has_header()) backup.header = part.header();
      backup.database += part.database();
      for (const auto& blob : part.blobs().blobs()) {
        backup.blobs.push_back(blob.sha256());
      }
    }
    backup.status = FromGrpcStatus(call.reader->Finish());
    return backup;
  }

  void PutBlob(const std::string& content) {
    ASSERT_OK_AND_ASSIGN(const auto blobs,
                         BlobStore::Open(test_.store_path() + ".blobs"));
    ASSERT_OK_AND_ASSIGN(const auto upload,
                         blobs->Create(Sha256Hex(content),
                                       static_cast<int64_t>(content.size())));
    ASSERT_OK(upload->Append(content));
    ASSERT_OK(upload->Commit());
  }
};

TEST_F(CoordinatorBackupTest, AnotherCoordinatorStartsFromIt) {
  Populate();
  ASSERT_OK(Register());
  const std::string submission = Submit();
  PutBlob("content");
  const Backup backup = BackUp();
  ASSERT_OK(backup.status);
  EXPECT_EQ(backup.header.database_bytes(),
            static_cast<int64_t>(backup.database.size()));
  EXPECT_GT(backup.header.store_version(), 0);
  EXPECT_THAT(backup.blobs, ElementsAre(Sha256Hex("content")));
  // Not in the copy.
  Submit("scale_later");

  ASSERT_OK_AND_ASSIGN(const TempDir folder,
                       TempDir::Create("assay-restored-"));
  const std::string store = folder.path() + "/assay.db";
  ASSERT_OK(WriteFileAtomically(store, backup.database));
  Coordinator::Options options;
  options.listen = "127.0.0.1:0";
  options.store_path = store;
  ASSERT_OK_AND_ASSIGN(const auto restored, Coordinator::Start(options));
  const auto stub = v1::EvaluationService::NewStub(grpc::CreateChannel(
      restored->address(), grpc::InsecureChannelCredentials()));
  grpc::ClientContext context;
  v1::ListSubmissionsResponse response;
  ASSERT_OK(FromGrpcStatus(stub->ListSubmissions(
      &context, v1::ListSubmissionsRequest(), &response)));
  ASSERT_EQ(response.submissions_size(), 1);
  EXPECT_EQ(response.submissions(0).id(), submission);
}

TEST_F(CoordinatorBackupTest, OneAtATime) {
  // More than gRPC takes from the coordinator before anybody reads it.
  ASSERT_OK_AND_ASSIGN(
      const auto store,
      Database::Open(test_.store_path(), Database::Mode::kReadWriteCreate));
  ASSERT_OK(
      store->Execute("CREATE TABLE filler (content BLOB) STRICT;"
                     "INSERT INTO filler VALUES (zeroblob(64 << 20))"));
  Call first(test_);
  v1::BackUpResponse part;
  // It has begun, and waits to be read on.
  ASSERT_TRUE(first.reader->Read(&part));
  EXPECT_THAT(BackUp().status, StatusIs(absl::StatusCode::kResourceExhausted,
                                        HasSubstr("under way")));
  while (first.reader->Read(&part)) {
  }
  ASSERT_OK(FromGrpcStatus(first.reader->Finish()));
  // Its place is free once the coordinator is done with the call.
  absl::Status status = absl::UnknownError("none");
  for (int i = 0; i < 1000 && !status.ok(); ++i) {
    absl::SleepFor(absl::Milliseconds(10));
    status = BackUp().status;
  }
  EXPECT_OK(status);
}

TEST_F(CoordinatorBackupTest, OneThatIsGivenUpMakesRoom) {
  {
    Call first(test_);
    v1::BackUpResponse part;
    ASSERT_TRUE(first.reader->Read(&part));
    first.context.TryCancel();
    first.reader->Finish();
  }
  absl::Status status = absl::UnknownError("none");
  for (int i = 0; i < 1000 && !status.ok(); ++i) {
    absl::SleepFor(absl::Milliseconds(10));
    status = BackUp().status;
  }
  EXPECT_OK(status);
}

}  // namespace
}  // namespace assay
