// The coordinator over gRPC: import, blobs, pages and bad input.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "absl/strings/str_cat.h"
#include "base/grpc_status.h"
#include "base/sha256.h"
#include "base/status_testing.h"
#include "server/coordinator_fixture_testing.h"

namespace assay {
namespace {

using ::testing::_;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

using Catalog = v1::CatalogService;
using Evaluations = v1::EvaluationService;
using Workers = v1::WorkerService;

using CoordinatorInputTest = CoordinatorTest;

TEST_F(CoordinatorInputTest, ImportJudgesEachItemAlone) {
  const auto stub = Catalog::NewStub(test_.channel());
  for (int round = 0; round < 2; ++round) {
    grpc::ClientContext context;
    v1::ImportTraceSetResponse response;
    const auto writer = stub->ImportTraceSet(&context, &response);
    v1::ImportTraceSetRequest item;
    item.set_origin("definitions/scale.json");
    *item.mutable_definition() = SampleDefinition();
    writer->Write(item);
    for (int i = 0; i < 200; ++i) {
      item.set_origin("workloads/scale.jsonl");
      item.mutable_trace()->set_definition("scale_d64");
      *item.mutable_trace()->mutable_workload() =
          SampleWorkload(absl::StrCat("w", i));
      writer->Write(item);
    }
    item.set_origin("solutions/bad.json");
    *item.mutable_solution() = SampleSolution();
    item.mutable_solution()->set_definition("missing");
    writer->Write(item);
    item.set_origin("solutions/good.json");
    *item.mutable_solution() = SampleSolution();
    writer->Write(item);
    writer->WritesDone();
    ASSERT_OK(FromGrpcStatus(writer->Finish()));
    EXPECT_EQ(response.definitions_created(), round == 0 ? 1 : 0);
    EXPECT_EQ(response.workloads_created(), round == 0 ? 200 : 0);
    EXPECT_EQ(response.solutions_created(), round == 0 ? 1 : 0);
    EXPECT_EQ(response.unchanged(), round == 0 ? 0 : 202);
    ASSERT_EQ(response.rejected(), 1);
    EXPECT_EQ(response.rejections(0).origin(), "solutions/bad.json");
    EXPECT_THAT(response.rejections(0).message(), HasSubstr("\"missing\""));
  }
}

TEST_F(CoordinatorInputTest, BlobGoesInAndComesOut) {
  const auto stub = v1::BlobService::NewStub(test_.channel());
  std::string content(3 << 20, 'a');
  content[12345] = 'b';
  const std::string sha256 = Sha256Hex(content);
  v1::FindMissingBlobsRequest find;
  find.add_sha256(sha256);
  ASSERT_OK_AND_ASSIGN(auto missing,
                       test_.Call<v1::BlobService>(
                           &v1::BlobService::Stub::FindMissingBlobs, find));
  EXPECT_THAT(missing.missing_sha256(), ElementsAre(sha256));
  {
    grpc::ClientContext context;
    v1::PutBlobResponse response;
    const auto writer = stub->PutBlob(&context, &response);
    v1::PutBlobRequest request;
    request.set_sha256(sha256);
    request.set_size_bytes(static_cast<int64_t>(content.size()));
    for (size_t offset = 0; offset < content.size(); offset += 1 << 20) {
      request.set_data(content.substr(offset, 1 << 20));
      writer->Write(request);
      request.Clear();
    }
    writer->WritesDone();
    ASSERT_OK(FromGrpcStatus(writer->Finish()));
    EXPECT_EQ(response.size_bytes(), static_cast<int64_t>(content.size()));
  }
  ASSERT_OK_AND_ASSIGN(missing,
                       test_.Call<v1::BlobService>(
                           &v1::BlobService::Stub::FindMissingBlobs, find));
  EXPECT_THAT(missing.missing_sha256(), SizeIs(0));
  grpc::ClientContext context;
  v1::GetBlobRequest request;
  request.set_sha256(sha256);
  const auto reader = stub->GetBlob(&context, request);
  std::string received;
  v1::GetBlobResponse chunk;
  while (reader->Read(&chunk)) received += chunk.data();
  EXPECT_OK(FromGrpcStatus(reader->Finish()));
  EXPECT_TRUE(received == content);
}

TEST_F(CoordinatorInputTest, BadBlobsAreRefused) {
  const auto stub = v1::BlobService::NewStub(test_.channel());
  const auto put = [&](const std::string& sha256, int64_t size,
                       const std::string& data) {
    grpc::ClientContext context;
    v1::PutBlobResponse response;
    const auto writer = stub->PutBlob(&context, &response);
    v1::PutBlobRequest request;
    request.set_sha256(sha256);
    request.set_size_bytes(size);
    request.set_data(data);
    writer->Write(request);
    writer->WritesDone();
    return FromGrpcStatus(writer->Finish());
  };
  const std::string sha256 = Sha256Hex("x");
  EXPECT_THAT(put("../x", 1, "x"),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("../x")));
  EXPECT_THAT(put(sha256, 2, "x"),
              StatusIs(absl::StatusCode::kInvalidArgument, _));
  EXPECT_THAT(put(sha256, 1, "y"),
              StatusIs(absl::StatusCode::kInvalidArgument, _));
  EXPECT_THAT(
      put(sha256, 2 << 20, std::string(2 << 20, 'x')),
      StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("at most 1 MiB")));
  {
    grpc::ClientContext context;
    v1::PutBlobResponse response;
    const auto writer = stub->PutBlob(&context, &response);
    writer->WritesDone();
    EXPECT_THAT(FromGrpcStatus(writer->Finish()),
                StatusIs(absl::StatusCode::kInvalidArgument,
                         HasSubstr("stream is empty")));
  }
  grpc::ClientContext context;
  v1::GetBlobRequest request;
  request.set_sha256(sha256);
  const auto reader = stub->GetBlob(&context, request);
  v1::GetBlobResponse chunk;
  EXPECT_FALSE(reader->Read(&chunk));
  EXPECT_THAT(FromGrpcStatus(reader->Finish()),
              StatusIs(absl::StatusCode::kNotFound, _));
}

TEST_F(CoordinatorInputTest, ListsComeInPages) {
  Populate();
  v1::ListWorkloadsRequest request;
  request.set_page_size(1);
  ASSERT_OK_AND_ASSIGN(
      v1::ListWorkloadsResponse page,
      test_.Call<Catalog>(&Catalog::Stub::ListWorkloads, request));
  ASSERT_THAT(page.workloads(), SizeIs(1));
  EXPECT_EQ(page.workloads(0).workload().uuid(), "w1");
  request.set_page_token(page.next_page_token());
  ASSERT_OK_AND_ASSIGN(
      page, test_.Call<Catalog>(&Catalog::Stub::ListWorkloads, request));
  EXPECT_EQ(page.workloads(0).workload().uuid(), "w2");
  EXPECT_EQ(page.next_page_token(), "");
  request.set_definition("scale_d64");
  EXPECT_THAT(
      test_.Call<Catalog>(&Catalog::Stub::ListWorkloads, request),
      StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("page_token")));
}

TEST_F(CoordinatorInputTest, BadInputIsRefusedByEveryService) {
  v1::CreateDefinitionRequest definition;
  EXPECT_THAT(test_.Call<Catalog>(&Catalog::Stub::CreateDefinition, definition),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("name")));
  v1::CreateSolutionRequest solution;
  EXPECT_THAT(test_.Call<Catalog>(&Catalog::Stub::CreateSolution, solution),
              StatusIs(absl::StatusCode::kInvalidArgument, _));
  v1::CreateWorkloadRequest workload;
  workload.set_definition("none");
  EXPECT_THAT(test_.Call<Catalog>(&Catalog::Stub::CreateWorkload, workload),
              StatusIs(absl::StatusCode::kNotFound, HasSubstr("\"none\"")));
  v1::CreateSubmissionRequest submission;
  EXPECT_THAT(
      test_.Call<Evaluations>(&Evaluations::Stub::CreateSubmission, submission),
      StatusIs(absl::StatusCode::kInvalidArgument,
               HasSubstr("solution is missing")));
  v1::GetTraceRequest trace;
  trace.set_id("tra-none");
  EXPECT_THAT(test_.Call<Evaluations>(&Evaluations::Stub::GetTrace, trace),
              StatusIs(absl::StatusCode::kNotFound, HasSubstr("tra-none")));
  v1::GetLeaderboardRequest board;
  board.set_definition("none");
  EXPECT_THAT(test_.Call<v1::LeaderboardService>(
                  &v1::LeaderboardService::Stub::GetLeaderboard, board),
              StatusIs(absl::StatusCode::kNotFound, _));
  v1::RegisterWorkerRequest worker;
  worker.set_worker_id("a/b");
  EXPECT_THAT(test_.Call<Workers>(&Workers::Stub::RegisterWorker, worker),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("worker_id \"a/b\"")));
  worker.set_worker_id("a");
  worker.set_session_id("s");
  worker.mutable_device()->set_kind("tpu");
  EXPECT_THAT(test_.Call<Workers>(&Workers::Stub::RegisterWorker, worker),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("device.kind \"tpu\"")));
  v1::GetWorkerRequest get_worker;
  get_worker.set_worker_id("none");
  EXPECT_THAT(test_.Call<Workers>(&Workers::Stub::GetWorker, get_worker),
              StatusIs(absl::StatusCode::kNotFound, _));
  v1::FindMissingBlobsRequest blobs;
  blobs.add_sha256("xyz");
  EXPECT_THAT(test_.Call<v1::BlobService>(
                  &v1::BlobService::Stub::FindMissingBlobs, blobs),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("xyz")));
  TestWatch nothing(test_, {});
  EXPECT_THAT(nothing.Rest(), SizeIs(0));
  EXPECT_THAT(nothing.End(), StatusIs(absl::StatusCode::kInvalidArgument, _));
  TestWatch unknown(test_, {"sub-none"});
  EXPECT_THAT(unknown.Rest(), SizeIs(0));
  EXPECT_THAT(unknown.End(),
              StatusIs(absl::StatusCode::kNotFound, HasSubstr("sub-none")));
}

TEST_F(CoordinatorInputTest, LongErrorReachesTheClient) {
  v1::CreateDefinitionRequest definition;
  *definition.mutable_definition() = SampleDefinition();
  for (int i = 0; i < 100; ++i) {
    definition.mutable_definition()->mutable_inputs(0)->add_shape(
        std::string(150, 'q'));
  }
  EXPECT_THAT(test_.Call<Catalog>(&Catalog::Stub::CreateDefinition, definition),
              StatusIs(absl::StatusCode::kInvalidArgument, _));
}

}  // namespace
}  // namespace assay
