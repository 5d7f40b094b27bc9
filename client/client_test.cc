#include "client/client.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/sha256.h"
#include "base/status_testing.h"
#include "client/fake_coordinator.h"

namespace assay {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

class ClientTest : public testing::Test {
 protected:
  void SetUp() override {
    Client::Options options;
    options.address = fake_.address();
    options.cancellation = &cancellation_;
    ASSERT_OK_AND_ASSIGN(client_, Client::Connect(options));
  }

  FakeCoordinator fake_;
  Cancellation cancellation_;
  std::unique_ptr<Client> client_;
};

TEST(ConnectTest, NobodyListeningNamesTheAddress) {
  Client::Options options;
  {
    FakeCoordinator gone;
    options.address = gone.address();
  }
  EXPECT_THAT(
      Client::Connect(options),
      StatusIs(absl::StatusCode::kUnavailable,
               absl::StrCat("cannot reach the coordinator at ", options.address,
                            ": connection refused; start it with "
                            "assay-coordinator or name another with "
                            "--server")));
}

TEST(ConnectTest, TokenIsNotSentInClearToAnotherMachine) {
  Client::Options options;
  options.address = "coordinator.example.org:50051";
  options.security.token = "tok-1.secret";
  EXPECT_THAT(Client::Connect(options),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       AllOf(HasSubstr("coordinator.example.org:50051"),
                             HasSubstr("--tls-ca"), Not(HasSubstr("secret")))));
}

TEST(ConnectTest, MissingSocketIsNamed) {
  Client::Options options;
  options.address = "unix:/nonexistent/assay.sock";
  EXPECT_THAT(Client::Connect(options),
              StatusIs(absl::StatusCode::kUnavailable,
                       AllOf(HasSubstr("unix:/nonexistent/assay.sock"),
                             HasSubstr("no such socket"))));
}

TEST(ConnectTest, OtherApiIsRefused) {
  FakeCoordinator fake;
  fake.Edit([](FakeCoordinator::State& state) {
    state.info.set_api("assay.v2");
    state.info.set_version("9.1.0");
  });
  Client::Options options;
  options.address = fake.address();
  EXPECT_THAT(Client::Connect(options),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       AllOf(HasSubstr("\"assay.v2\""), HasSubstr("9.1.0"))));
}

TEST(ConnectTest, BadAddressIsRefusedBeforeDialling) {
  Client::Options options;
  options.address = "nowhere";
  EXPECT_THAT(
      Client::Connect(options),
      StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("\"nowhere\"")));
}

TEST_F(ClientTest, KnowsTheServer) {
  EXPECT_EQ(client_->server_info().version(), "0.1.0");
}

TEST_F(ClientTest, CoordinatorsErrorIsPassedOn) {
  EXPECT_THAT(
      client_->GetDefinition("rmsnorm"),
      StatusIs(absl::StatusCode::kNotFound, "no definition \"rmsnorm\""));
}

TEST_F(ClientTest, ListsOverSeveralPages) {
  fake_.Edit([](FakeCoordinator::State& state) {
    for (int i = 0; i < 5; ++i) {
      state.workloads.emplace_back().mutable_workload()->set_uuid(
          absl::StrCat("w", i));
    }
  });
  v1::ListWorkloadsRequest filter;
  filter.set_page_size(2);
  ASSERT_OK_AND_ASSIGN(const auto records,
                       client_->ListWorkloads(filter).Collect());
  std::vector<std::string> uuids;
  for (const auto& record : records) {
    uuids.push_back(record.workload().uuid());
  }
  EXPECT_THAT(uuids, ElementsAre("w0", "w1", "w2", "w3", "w4"));
  fake_.Edit([](FakeCoordinator::State& state) {
    EXPECT_EQ(state.calls["ListWorkloads"], 3);
  });
}

TEST_F(ClientTest, BusyCoordinatorIsAskedAgain) {
  fake_.Edit([](FakeCoordinator::State& state) {
    state.errors["CreateSubmission"] = {
        absl::ResourceExhaustedError("queue is full")};
  });
  v1::CreateSubmissionRequest request;
  request.mutable_solution()->set_name("s");
  ASSERT_OK_AND_ASSIGN(const v1::Submission submission,
                       client_->CreateSubmission(request));
  EXPECT_EQ(submission.solution(), "s");
  fake_.Edit([](FakeCoordinator::State& state) {
    EXPECT_EQ(state.calls["CreateSubmission"], 2);
  });
}

TEST_F(ClientTest, RefusedInputIsNotRepeated) {
  fake_.Edit([](FakeCoordinator::State& state) {
    state.errors["CreateSubmission"] = {absl::InvalidArgumentError("bad")};
  });
  EXPECT_THAT(client_->CreateSubmission({}),
              StatusIs(absl::StatusCode::kInvalidArgument, "bad"));
  fake_.Edit([](FakeCoordinator::State& state) {
    EXPECT_EQ(state.calls["CreateSubmission"], 1);
  });
}

TEST_F(ClientTest, SubmissionsGetDistinctRequestIds) {
  v1::CreateSubmissionRequest request;
  request.mutable_solution()->set_name("s");
  ASSERT_OK(client_->CreateSubmission(request));
  ASSERT_OK(client_->CreateSubmission(request));
  fake_.Edit([](FakeCoordinator::State& state) {
    ASSERT_THAT(state.submitted, SizeIs(2));
    EXPECT_NE(state.submitted[0].request_id(), "");
    EXPECT_NE(state.submitted[0].request_id(), state.submitted[1].request_id());
  });
}

TEST_F(ClientTest, BlobOfSeveralChunksComesBackWhole) {
  std::string content(3'000'000, 'x');
  content[2'999'999] = 'y';
  const std::string sha256 = Sha256Hex(content);
  ASSERT_OK(client_->PutBlob(sha256, content));
  std::string got;
  ASSERT_OK(client_->GetBlob(sha256, [&got](absl::string_view chunk) {
    got.append(chunk.data(), chunk.size());
    return absl::OkStatus();
  }));
  EXPECT_EQ(got, content);
}

TEST_F(ClientTest, EmptyBlobIsStored) {
  ASSERT_OK(client_->PutBlob(Sha256Hex(""), ""));
  EXPECT_THAT(client_->FindMissingBlobs({Sha256Hex("")}),
              IsOkAndHolds(IsEmpty()));
}

TEST_F(ClientTest, WrongBlobIsRefused) {
  EXPECT_THAT(client_->PutBlob(Sha256Hex("a"), "b"),
              StatusIs(absl::StatusCode::kInvalidArgument, "not as announced"));
}

TEST_F(ClientTest, FailingSinkEndsTheDownload) {
  ASSERT_OK(client_->PutBlob(Sha256Hex("a"), "a"));
  EXPECT_THAT(client_->GetBlob(Sha256Hex("a"),
                               [](absl::string_view) -> absl::Status {
                                 return absl::DataLossError("disk full");
                               }),
              StatusIs(absl::StatusCode::kDataLoss, "disk full"));
}

TEST_F(ClientTest, FindsMissingBlobsInSeveralCalls) {
  std::vector<std::string> digests;
  for (int i = 0; i < 10001; ++i) digests.push_back(absl::StrCat(i));
  EXPECT_THAT(client_->FindMissingBlobs(digests),
              IsOkAndHolds(testing::ElementsAreArray(digests)));
  fake_.Edit([](FakeCoordinator::State& state) {
    EXPECT_EQ(state.calls["FindMissingBlobs"], 2);
  });
}

TEST_F(ClientTest, CancellationEndsCallsUnderWay) {
  fake_.Edit([](FakeCoordinator::State& state) {
    state.submissions.emplace_back().set_id("sub-1");
    state.hold_watch = true;
  });
  int events = 0;
  EXPECT_THAT(client_->WatchSubmissionsOnce({"sub-1"},
                                            [&](const v1::SubmissionEvent&) {
                                              ++events;
                                              cancellation_.Cancel();
                                              return true;
                                            }),
              StatusIs(absl::StatusCode::kCancelled, testing::_));
  EXPECT_EQ(events, 1);
}

TEST_F(ClientTest, CancellationEndsLaterCallsUntilReset) {
  cancellation_.Cancel();
  EXPECT_THAT(client_->ListWorkers().Collect(),
              StatusIs(absl::StatusCode::kCancelled, testing::_));
  cancellation_.Reset();
  EXPECT_THAT(client_->ListWorkers().Collect(), IsOkAndHolds(IsEmpty()));
}

TEST_F(ClientTest, StreamHasADeadline) {
  Client::Options options;
  options.address = fake_.address();
  options.stream_timeout = absl::Milliseconds(50);
  ASSERT_OK_AND_ASSIGN(const auto client, Client::Connect(options));
  fake_.Edit([](FakeCoordinator::State& state) {
    state.submissions.emplace_back().set_id("sub-1");
    state.hold_watch = true;
  });
  EXPECT_THAT(client->WatchSubmissionsOnce(
                  {"sub-1"}, [](const v1::SubmissionEvent&) { return true; }),
              StatusIs(absl::StatusCode::kDeadlineExceeded,
                       HasSubstr(fake_.address())));
}

}  // namespace
}  // namespace assay
