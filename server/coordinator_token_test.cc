// Tokens, as clients meet them.

#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/grpcpp.h>

#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "assay/v1/token_service.grpc.pb.h"
#include "base/clock.h"
#include "base/sha256.h"
#include "base/status_testing.h"
#include "google/protobuf/descriptor.h"
#include "server/auth/access_rules.h"
#include "server/auth/token_keeper.h"
#include "server/auth/tokens.h"
#include "server/coordinator_fixture_testing.h"
#include "server/store/visit.h"

namespace assay {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

void Prepare(grpc::ClientContext& context, const std::string& token) {
  context.set_deadline(std::chrono::system_clock::now() +
                       std::chrono::minutes(1));
  if (!token.empty()) {
    context.AddMetadata("authorization", absl::StrCat("Bearer ", token));
  }
}

class CoordinatorTokenTest : public CoordinatorTest {
 protected:
  // Creates a token where the store is, as an operator does.
  std::string CreateOffline(v1::TokenRole role) {
    v1::CreateTokenRequest request;
    request.set_name("test");
    request.set_role(role);
    return CreateOffline(request);
  }

  std::string CreateOffline(const v1::CreateTokenRequest& request) {
    std::string text;
    EXPECT_OK(VisitStore(test_.store_path(), Clock::Real(),
                         [&](Session& session) -> absl::Status {
                           const auto created = CreateToken(session, request);
                           if (created.ok()) text = created->text();
                           return created.status();
                         }));
    return text;
  }

  absl::Status PutBlob(const std::string& token, const std::string& content) {
    const auto stub = v1::BlobService::NewStub(test_.channel());
    grpc::ClientContext context;
    Prepare(context, token);
    v1::PutBlobResponse response;
    const auto writer = stub->PutBlob(&context, &response);
    v1::PutBlobRequest request;
    request.set_sha256(Sha256Hex(content));
    request.set_size_bytes(static_cast<int64_t>(content.size()));
    request.set_data(content);
    writer->Write(request);
    writer->WritesDone();
    return FromGrpcStatus(writer->Finish());
  }

  // The same, with a coordinator that knows it from its start.
  std::string CreateAndRestart(v1::TokenRole role) {
    const std::string token = CreateOffline(role);
    test_.Restart();
    return token;
  }

  template <typename Service, typename Request, typename Response>
  absl::StatusOr<Response> CallWith(
      const std::string& token,
      grpc::Status (Service::Stub::*method)(grpc::ClientContext*,
                                            const Request&, Response*),
      const Request& request) {
    const auto stub = Service::NewStub(test_.channel());
    grpc::ClientContext context;
    Prepare(context, token);
    Response response;
    const grpc::Status status = ((*stub).*method)(&context, request, &response);
    if (!status.ok()) return FromGrpcStatus(status);
    return response;
  }

  absl::Status GetInfo(const std::string& token) {
    return CallWith<v1::AdminService>(token,
                                      &v1::AdminService::Stub::GetServerInfo,
                                      v1::GetServerInfoRequest())
        .status();
  }

  // A call of any method, with an empty message.
  absl::Status CallAny(const std::string& token, const std::string& method) {
    grpc::GenericStub stub(test_.channel());
    grpc::ClientContext context;
    Prepare(context, token);
    grpc::CompletionQueue queue;
    const grpc::Slice nothing;
    grpc::ByteBuffer response;
    const auto call = stub.PrepareUnaryCall(
        &context, method, grpc::ByteBuffer(&nothing, 1), &queue);
    call->StartCall();
    grpc::Status status;
    call->Finish(&response, &status, nullptr);
    void* tag = nullptr;
    bool ok = false;
    queue.Next(&tag, &ok);
    return FromGrpcStatus(status);
  }

  absl::StatusOr<v1::RegisterWorkerResponse> RegisterWith(
      const std::string& token, const std::string& worker) {
    v1::RegisterWorkerRequest request;
    request.set_worker_id(worker);
    request.set_session_id("session");
    *request.mutable_device() = SampleDevice();
    return CallWith<v1::WorkerService>(
        token, &v1::WorkerService::Stub::RegisterWorker, request);
  }

  absl::StatusOr<v1::AcquireLeaseResponse> AcquireWith(
      const std::string& token, const std::string& worker) {
    v1::AcquireLeaseRequest request;
    request.set_worker_id(worker);
    request.set_session_id("session");
    return CallWith<v1::WorkerService>(
        token, &v1::WorkerService::Stub::AcquireLease, request);
  }
};

std::vector<std::string> AllMethods() {
  std::vector<std::string> methods;
  for (const char* file : {"admin", "blob", "catalog", "evaluation",
                           "leaderboard", "token", "worker"}) {
    const google::protobuf::ServiceDescriptor* service =
        google::protobuf::DescriptorPool::generated_pool()
            ->FindFileByName(absl::StrCat("assay/v1/", file, "_service.proto"))
            ->service(0);
    for (int i = 0; i < service->method_count(); ++i) {
      methods.push_back(absl::StrCat("/", service->full_name(), "/",
                                     service->method(i)->name()));
    }
  }
  return methods;
}

TEST_F(CoordinatorTokenTest, EveryCallIsCheckedBeforeItsService) {
  CreateOffline(v1::ADMIN);
  const std::string worker = CreateAndRestart(v1::WORKER);
  for (const std::string& method : AllMethods()) {
    EXPECT_THAT(
        CallAny("", method),
        StatusIs(absl::StatusCode::kUnauthenticated, HasSubstr("ASSAY_TOKEN")))
        << method;
    if (Allows(AccessOf(method), v1::WORKER)) continue;
    EXPECT_THAT(CallAny(worker, method),
                StatusIs(absl::StatusCode::kPermissionDenied,
                         HasSubstr(NeededFor(AccessOf(method)))))
        << method;
  }
}

TEST_F(CoordinatorTokenTest, HealthIsPublicAndReflectionIsNot) {
  const std::string token = CreateAndRestart(v1::SUBMIT);
  EXPECT_OK(CallAny("", "/grpc.health.v1.Health/Check"));
  EXPECT_THAT(CallAny("", "/grpc.health.v1.Health/Watch"),
              StatusIs(absl::StatusCode::kUnauthenticated, HasSubstr("")));
  const std::string reflection =
      "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo";
  EXPECT_THAT(CallAny("", reflection),
              StatusIs(absl::StatusCode::kUnauthenticated, HasSubstr("")));
  EXPECT_OK(CallAny(token, reflection));
}

TEST_F(CoordinatorTokenTest, WrongTokensAreRefusedWithoutTheirText) {
  const std::string token = CreateAndRestart(v1::SUBMIT);
  EXPECT_OK(GetInfo(token));
  std::string wrong = token;
  wrong.back() = wrong.back() == '0' ? '1' : '0';
  EXPECT_THAT(GetInfo(wrong),
              StatusIs(absl::StatusCode::kUnauthenticated,
                       AllOf(HasSubstr("not valid"), Not(HasSubstr(wrong)))));
  grpc::ClientContext twice;
  Prepare(twice, token);
  twice.AddMetadata("authorization", absl::StrCat("Bearer ", token));
  v1::ServerInfo info;
  EXPECT_EQ(v1::AdminService::NewStub(test_.channel())
                ->GetServerInfo(&twice, v1::GetServerInfoRequest(), &info)
                .error_code(),
            grpc::StatusCode::UNAUTHENTICATED);
}

TEST_F(CoordinatorTokenTest, TokenCreatedBesideARunningCoordinatorIsNoticed) {
  EXPECT_OK(GetInfo(""));
  const std::string token = CreateOffline(v1::ADMIN);
  test_.Advance(TokenKeeper::kRefreshInterval);
  // It is read on a thread of the store.
  while (GetInfo("").ok()) {
  }
  EXPECT_OK(GetInfo(token));
}

TEST_F(CoordinatorTokenTest, AdminCreatesListsAndRevokes) {
  const std::string admin = CreateAndRestart(v1::ADMIN);
  v1::CreateTokenRequest create;
  create.set_name("node 1");
  create.set_role(v1::WORKER);
  ASSERT_OK_AND_ASSIGN(
      const v1::CreateTokenResponse created,
      CallWith<v1::TokenService>(admin, &v1::TokenService::Stub::CreateToken,
                                 create));
  ASSERT_OK_AND_ASSIGN(
      const v1::ListTokensResponse list,
      CallWith<v1::TokenService>(admin, &v1::TokenService::Stub::ListTokens,
                                 v1::ListTokensRequest()));
  ASSERT_EQ(list.tokens_size(), 2);
  EXPECT_EQ(list.tokens(1).id(), created.token().id());
  EXPECT_THAT(list.DebugString(), Not(HasSubstr(created.text())));
  v1::RevokeTokenRequest revoke;
  revoke.set_id(created.token().id());
  ASSERT_OK(CallWith<v1::TokenService>(
      admin, &v1::TokenService::Stub::RevokeToken, revoke));
  while (GetInfo(created.text()).ok()) {
  }
  EXPECT_OK(GetInfo(admin));
}

TEST_F(CoordinatorTokenTest, RevokingATokenEndsItsStreams) {
  Populate();
  const std::string submission = Submit();
  const std::string admin = CreateOffline(v1::ADMIN);
  const std::string token = CreateAndRestart(v1::SUBMIT);
  const auto stub = v1::EvaluationService::NewStub(test_.channel());
  grpc::ClientContext context;
  Prepare(context, token);
  v1::WatchSubmissionsRequest watch;
  watch.add_submission_ids(submission);
  const auto reader = stub->WatchSubmissions(&context, watch);
  v1::SubmissionEvent event;
  ASSERT_TRUE(reader->Read(&event));
  v1::RevokeTokenRequest revoke;
  revoke.set_id(token.substr(0, token.find('.')));
  ASSERT_OK(CallWith<v1::TokenService>(
      admin, &v1::TokenService::Stub::RevokeToken, revoke));
  while (reader->Read(&event)) {
  }
  EXPECT_THAT(
      FromGrpcStatus(reader->Finish()),
      StatusIs(absl::StatusCode::kUnauthenticated, HasSubstr("was revoked")));
}

TEST_F(CoordinatorTokenTest, SubmissionsBeyondTheQuotaAreToldToWait) {
  Populate();
  v1::CreateTokenRequest request;
  request.set_name("slow");
  request.set_role(v1::SUBMIT);
  request.mutable_quota()->set_submissions_per_second(0.1);
  // Two jobs in each submission.
  request.mutable_quota()->set_open_jobs(3);
  request.mutable_quota()->set_upload_bytes_per_hour(6000);
  const std::string token = CreateOffline(request);
  test_.Restart();
  v1::CreateSubmissionRequest submission;
  *submission.mutable_solution() = SampleSolution();
  const auto submit = [&] {
    return CallWith<v1::EvaluationService>(
               token, &v1::EvaluationService::Stub::CreateSubmission,
               submission)
        .status();
  };
  EXPECT_OK(submit());
  EXPECT_THAT(submit(), StatusIs(absl::StatusCode::kResourceExhausted,
                                 HasSubstr("try again in 10s")));
  test_.Advance(absl::Seconds(10));
  EXPECT_THAT(submit(),
              StatusIs(absl::StatusCode::kResourceExhausted,
                       HasSubstr("2 jobs queued or running, this submission "
                                 "has 2, and 3 are allowed")));
  EXPECT_OK(PutBlob(token, std::string(1000, 'a')));
  EXPECT_THAT(PutBlob(token, "b"),
              StatusIs(absl::StatusCode::kResourceExhausted,
                       HasSubstr("try again in")));
}

TEST_F(CoordinatorTokenTest, RefusalTellsClientsWhenToRepeat) {
  Populate();
  v1::CreateTokenRequest request;
  request.set_name("slow");
  request.set_role(v1::SUBMIT);
  request.mutable_quota()->set_submissions_per_second(0.5);
  const std::string token = CreateOffline(request);
  test_.Restart();
  v1::CreateSubmissionRequest submission;
  *submission.mutable_solution() = SampleSolution();
  const auto stub = v1::EvaluationService::NewStub(test_.channel());
  // Five at once, as many as ten seconds allow for, but one.
  for (int i = 0; i <= 5; ++i) {
    grpc::ClientContext context;
    Prepare(context, token);
    v1::Submission made;
    const grpc::Status status =
        stub->CreateSubmission(&context, submission, &made);
    EXPECT_EQ(status.ok(), i < 5);
    if (status.ok()) continue;
    const auto& trailers = context.GetServerTrailingMetadata();
    const auto delay = trailers.find("grpc-retry-pushback-ms");
    ASSERT_NE(delay, trailers.end());
    EXPECT_EQ(delay->second, "2000");
  }
}

TEST_F(CoordinatorTokenTest, WorkerBelongsToItsToken) {
  Populate();
  Submit();
  const std::string mine = CreateOffline(v1::WORKER);
  const std::string other = CreateAndRestart(v1::WORKER);
  ASSERT_OK(RegisterWith(mine, "gpu-1"));
  EXPECT_THAT(RegisterWith(other, "gpu-1"),
              StatusIs(absl::StatusCode::kPermissionDenied,
                       HasSubstr("belongs to the token")));
  EXPECT_THAT(AcquireWith(other, "gpu-1"),
              StatusIs(absl::StatusCode::kPermissionDenied,
                       HasSubstr("belongs to the token")));
  ASSERT_OK_AND_ASSIGN(const v1::AcquireLeaseResponse lease,
                       AcquireWith(mine, "gpu-1"));
  ASSERT_TRUE(lease.has_lease());
  // Not even with all that the session knows, and not by what follows at once.
  for (const std::string& token : {other, mine}) {
    const auto stub = v1::WorkerService::NewStub(test_.channel());
    grpc::ClientContext context;
    Prepare(context, token);
    const auto stream = stub->RunLease(&context);
    v1::LeaseReport report;
    report.set_lease_id(lease.lease().id());
    report.set_worker_id("gpu-1");
    report.set_session_id("session");
    report.mutable_accept();
    stream->Write(report);
    report.set_number(1);
    report.mutable_finished();
    stream->Write(report);
    v1::LeaseDirective directive;
    while (stream->Read(&directive)) {
    }
    const absl::Status end = FromGrpcStatus(stream->Finish());
    if (token == mine) {
      EXPECT_OK(end);
    } else {
      EXPECT_THAT(end, StatusIs(absl::StatusCode::kPermissionDenied,
                                HasSubstr("belongs to the token")));
    }
  }
}

}  // namespace
}  // namespace assay
