#include "client/client.h"

#include <grpcpp/client_context.h>
#include <grpcpp/support/channel_arguments.h>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <utility>

#include "absl/strings/str_cat.h"
#include "assay/v1/admin_service.grpc.pb.h"
#include "assay/v1/blob_service.grpc.pb.h"
#include "assay/v1/catalog_service.grpc.pb.h"
#include "assay/v1/evaluation_service.grpc.pb.h"
#include "assay/v1/leaderboard_service.grpc.pb.h"
#include "assay/v1/token_service.grpc.pb.h"
#include "assay/v1/worker_service.grpc.pb.h"
#include "base/random_id.h"
#include "base/secure_channel.h"
#include "base/status_macros.h"
#include "client/rpc_error.h"

namespace assay {
namespace {

constexpr int kMaxMessageBytes = 64 << 20;
constexpr int kPageSize = 500;
constexpr char kApi[] = "assay.v1";
// A coordinator that vanished without a word is noticed during a call of any
// length. gRPC servers hang up on clients that ping more than every 5 minutes.
constexpr absl::Duration kKeepaliveTime = absl::Minutes(6);
constexpr absl::Duration kKeepaliveTimeout = absl::Seconds(10);

// Every call is safe to repeat (the protos say so of each), but the first one
// must not: somebody waits to hear that nothing listens there. Nor must those
// about tokens, which create another one each time.
constexpr char kServiceConfig[] = R"({"methodConfig": [
  {"name": [{}], "retryPolicy": {
     "maxAttempts": 5, "initialBackoff": "0.1s", "maxBackoff": "2s",
     "backoffMultiplier": 2,
     "retryableStatusCodes": ["UNAVAILABLE", "RESOURCE_EXHAUSTED"]}},
  {"name": [{"service": "assay.v1.AdminService"},
            {"service": "assay.v1.TokenService"}]}]})";

absl::StatusOr<std::shared_ptr<grpc::Channel>> Dial(
    const Client::Options& options) {
  grpc::ChannelArguments arguments;
  arguments.SetMaxReceiveMessageSize(kMaxMessageBytes);
  arguments.SetMaxSendMessageSize(kMaxMessageBytes);
  arguments.SetServiceConfigJSON(kServiceConfig);
  arguments.SetInt(GRPC_ARG_KEEPALIVE_TIME_MS,
                   static_cast<int>(absl::ToInt64Milliseconds(kKeepaliveTime)));
  arguments.SetInt(
      GRPC_ARG_KEEPALIVE_TIMEOUT_MS,
      static_cast<int>(absl::ToInt64Milliseconds(kKeepaliveTimeout)));
  // A watch only listens, and is to be watched over all the time.
  arguments.SetInt(GRPC_ARG_HTTP2_MAX_PINGS_WITHOUT_DATA, 0);
  // A proxy for the web has no business between client and coordinator.
  arguments.SetInt(GRPC_ARG_ENABLE_HTTP_PROXY, 0);
  return MakeChannel(options.address, options.security, arguments);
}

void SetDeadline(grpc::ClientContext& context, absl::Duration timeout) {
  context.set_deadline(std::chrono::system_clock::now() +
                       absl::ToChronoNanoseconds(timeout));
}

template <typename Stub, typename Request, typename Response>
using Method = grpc::Status (Stub::*)(grpc::ClientContext*, const Request&,
                                      Response*);

// Makes a unary call.
template <typename Stub, typename Request, typename Response>
absl::StatusOr<Response> Call(const Client::Options& options,
                              const std::unique_ptr<Stub>& stub,
                              Method<Stub, Request, Response> method,
                              const Request& request, absl::Duration timeout) {
  grpc::ClientContext context;
  SetDeadline(context, timeout);
  const Cancellation::Scope scope(options.cancellation, context);
  Response response;
  const grpc::Status status =
      (stub.get()->*method)(&context, request, &response);
  if (!status.ok()) return DescribeRpcError(status, options.address);
  return response;
}

template <typename Stub, typename Request, typename Response>
absl::StatusOr<Response> Call(const Client::Options& options,
                              const std::unique_ptr<Stub>& stub,
                              Method<Stub, Request, Response> method,
                              const Request& request) {
  return Call(options, stub, method, request, options.call_timeout);
}

// Hands what the stream brings to `sink`; its error ends the call, and is what
// it ends with.
template <typename Message, typename Sink>
absl::Status Drain(grpc::ClientReader<Message>& reader,
                   grpc::ClientContext& context, const Client::Options& options,
                   const Sink& sink) {
  absl::Status sunk;
  Message message;
  while (sunk.ok() && reader.Read(&message)) sunk = sink(message);
  if (!sunk.ok()) context.TryCancel();
  const grpc::Status status = reader.Finish();
  return sunk.ok() ? DescribeRpcError(status, options.address) : sunk;
}

// Pages through a List call whose items are the field behind `items`.
template <typename Item, typename Stub, typename Request, typename Response>
Pager<Item> List(
    const Client::Options& options, const std::unique_ptr<Stub>& stub,
    Method<Stub, Request, Response> method, Request filter,
    google::protobuf::RepeatedPtrField<Item>* (Response::*items)()) {
  if (filter.page_size() == 0) filter.set_page_size(kPageSize);
  return Pager<Item>(
      [&options, &stub, method, filter = std::move(filter),
       items](const std::string& token) -> absl::StatusOr<Page<Item>> {
        Request request = filter;
        request.set_page_token(token);
        ASSAY_ASSIGN_OR_RETURN(Response response,
                               Call(options, stub, method, request));
        auto* list = (response.*items)();
        Page<Item> page;
        page.items.assign(std::make_move_iterator(list->begin()),
                          std::make_move_iterator(list->end()));
        page.next_token = response.next_page_token();
        return page;
      });
}

}  // namespace

struct Client::Stubs {
  explicit Stubs(const std::shared_ptr<grpc::Channel>& channel)
      : admin(v1::AdminService::NewStub(channel)),
        blob(v1::BlobService::NewStub(channel)),
        catalog(v1::CatalogService::NewStub(channel)),
        evaluation(v1::EvaluationService::NewStub(channel)),
        leaderboard(v1::LeaderboardService::NewStub(channel)),
        token(v1::TokenService::NewStub(channel)),
        worker(v1::WorkerService::NewStub(channel)) {}

  const std::unique_ptr<v1::AdminService::Stub> admin;
  const std::unique_ptr<v1::BlobService::Stub> blob;
  const std::unique_ptr<v1::CatalogService::Stub> catalog;
  const std::unique_ptr<v1::EvaluationService::Stub> evaluation;
  const std::unique_ptr<v1::LeaderboardService::Stub> leaderboard;
  const std::unique_ptr<v1::TokenService::Stub> token;
  const std::unique_ptr<v1::WorkerService::Stub> worker;
};

Client::Client(Options options, std::unique_ptr<Stubs> stubs)
    : options_(std::move(options)), stubs_(std::move(stubs)) {}

Client::~Client() = default;

absl::StatusOr<std::unique_ptr<Client>> Client::Connect(Options options) {
  ASSAY_RETURN_IF_ERROR(CheckServerAddress(options.address));
  ASSAY_ASSIGN_OR_RETURN(const std::shared_ptr<grpc::Channel> channel,
                         Dial(options));
  auto stubs = std::make_unique<Stubs>(channel);
  std::unique_ptr<Client> client(
      new Client(std::move(options), std::move(stubs)));
  ASSAY_ASSIGN_OR_RETURN(
      client->server_info_,
      Call(client->options_, client->stubs_->admin,
           &v1::AdminService::Stub::GetServerInfo, v1::GetServerInfoRequest(),
           client->options_.connect_timeout));
  if (client->server_info_.api() != kApi) {
    return absl::FailedPreconditionError(
        absl::StrCat("the coordinator at ", client->address(), " (version ",
                     client->server_info_.version(), ") speaks \"",
                     client->server_info_.api(), "\", this program ", kApi,
                     "; use programs of the same version"));
  }
  return client;
}

absl::StatusOr<v1::DefinitionRecord> Client::GetDefinition(
    absl::string_view name) {
  v1::GetDefinitionRequest request;
  request.set_name(std::string(name));
  return Call(options_, stubs_->catalog,
              &v1::CatalogService::Stub::GetDefinition, request);
}

Pager<v1::DefinitionRecord> Client::ListDefinitions(
    v1::ListDefinitionsRequest filter) {
  return List<v1::DefinitionRecord>(
      options_, stubs_->catalog, &v1::CatalogService::Stub::ListDefinitions,
      std::move(filter), &v1::ListDefinitionsResponse::mutable_definitions);
}

absl::StatusOr<v1::SolutionRecord> Client::GetSolution(absl::string_view name) {
  v1::GetSolutionRequest request;
  request.set_name(std::string(name));
  return Call(options_, stubs_->catalog, &v1::CatalogService::Stub::GetSolution,
              request);
}

Pager<v1::SolutionRecord> Client::ListSolutions(
    v1::ListSolutionsRequest filter) {
  return List<v1::SolutionRecord>(
      options_, stubs_->catalog, &v1::CatalogService::Stub::ListSolutions,
      std::move(filter), &v1::ListSolutionsResponse::mutable_solutions);
}

absl::StatusOr<v1::WorkloadRecord> Client::GetWorkload(absl::string_view uuid) {
  v1::GetWorkloadRequest request;
  request.set_uuid(std::string(uuid));
  return Call(options_, stubs_->catalog, &v1::CatalogService::Stub::GetWorkload,
              request);
}

Pager<v1::WorkloadRecord> Client::ListWorkloads(
    v1::ListWorkloadsRequest filter) {
  return List<v1::WorkloadRecord>(
      options_, stubs_->catalog, &v1::CatalogService::Stub::ListWorkloads,
      std::move(filter), &v1::ListWorkloadsResponse::mutable_workloads);
}

absl::StatusOr<v1::Submission> Client::CreateSubmission(
    v1::CreateSubmissionRequest request) {
  if (request.request_id().empty()) request.set_request_id(RandomId("req-"));
  return Call(options_, stubs_->evaluation,
              &v1::EvaluationService::Stub::CreateSubmission, request);
}

absl::StatusOr<v1::Submission> Client::GetSubmission(absl::string_view id) {
  v1::GetSubmissionRequest request;
  request.set_id(std::string(id));
  return Call(options_, stubs_->evaluation,
              &v1::EvaluationService::Stub::GetSubmission, request);
}

Pager<v1::Submission> Client::ListSubmissions(
    v1::ListSubmissionsRequest filter) {
  return List<v1::Submission>(
      options_, stubs_->evaluation,
      &v1::EvaluationService::Stub::ListSubmissions, std::move(filter),
      &v1::ListSubmissionsResponse::mutable_submissions);
}

absl::StatusOr<v1::Submission> Client::CancelSubmission(absl::string_view id) {
  return CancelSubmission(id, options_.call_timeout);
}

absl::StatusOr<v1::Submission> Client::CancelSubmission(
    absl::string_view id, absl::Duration timeout) {
  v1::CancelSubmissionRequest request;
  request.set_id(std::string(id));
  return Call(options_, stubs_->evaluation,
              &v1::EvaluationService::Stub::CancelSubmission, request, timeout);
}

Pager<v1::Job> Client::ListJobs(v1::ListJobsRequest filter) {
  return List<v1::Job>(options_, stubs_->evaluation,
                       &v1::EvaluationService::Stub::ListJobs,
                       std::move(filter), &v1::ListJobsResponse::mutable_jobs);
}

absl::StatusOr<v1::TraceRecord> Client::GetTrace(absl::string_view id) {
  v1::GetTraceRequest request;
  request.set_id(std::string(id));
  return Call(options_, stubs_->evaluation,
              &v1::EvaluationService::Stub::GetTrace, request);
}

Pager<v1::TraceRecord> Client::ListTraces(v1::ListTracesRequest filter) {
  return List<v1::TraceRecord>(
      options_, stubs_->evaluation, &v1::EvaluationService::Stub::ListTraces,
      std::move(filter), &v1::ListTracesResponse::mutable_traces);
}

absl::StatusOr<v1::TraceRecord> Client::ReviewTrace(
    const v1::ReviewTraceRequest& request) {
  return Call(options_, stubs_->evaluation,
              &v1::EvaluationService::Stub::ReviewTrace, request);
}

absl::StatusOr<v1::Leaderboard> Client::GetLeaderboard(
    absl::string_view definition, absl::string_view hardware) {
  v1::GetLeaderboardRequest request;
  request.set_definition(std::string(definition));
  request.set_hardware(std::string(hardware));
  return Call(options_, stubs_->leaderboard,
              &v1::LeaderboardService::Stub::GetLeaderboard, request);
}

Pager<v1::LeaderboardKey> Client::ListLeaderboards() {
  return List<v1::LeaderboardKey>(
      options_, stubs_->leaderboard,
      &v1::LeaderboardService::Stub::ListLeaderboards,
      v1::ListLeaderboardsRequest(),
      &v1::ListLeaderboardsResponse::mutable_leaderboards);
}

absl::StatusOr<v1::WorkerRecord> Client::GetWorker(
    absl::string_view worker_id) {
  v1::GetWorkerRequest request;
  request.set_worker_id(std::string(worker_id));
  return Call(options_, stubs_->worker, &v1::WorkerService::Stub::GetWorker,
              request);
}

Pager<v1::WorkerRecord> Client::ListWorkers() {
  return List<v1::WorkerRecord>(
      options_, stubs_->worker, &v1::WorkerService::Stub::ListWorkers,
      v1::ListWorkersRequest(), &v1::ListWorkersResponse::mutable_workers);
}

absl::StatusOr<v1::CreateTokenResponse> Client::CreateToken(
    const v1::CreateTokenRequest& request) {
  return Call(options_, stubs_->token, &v1::TokenService::Stub::CreateToken,
              request);
}

Pager<v1::Token> Client::ListTokens() {
  return List<v1::Token>(
      options_, stubs_->token, &v1::TokenService::Stub::ListTokens,
      v1::ListTokensRequest(), &v1::ListTokensResponse::mutable_tokens);
}

absl::StatusOr<v1::Token> Client::RevokeToken(absl::string_view id) {
  v1::RevokeTokenRequest request;
  request.set_id(std::string(id));
  return Call(options_, stubs_->token, &v1::TokenService::Stub::RevokeToken,
              request);
}

absl::Status Client::BackUp(
    const std::function<absl::Status(const v1::BackUpResponse&)>& sink) {
  grpc::ClientContext context;
  SetDeadline(context, options_.stream_timeout);
  const Cancellation::Scope scope(options_.cancellation, context);
  const auto reader = stubs_->admin->BackUp(&context, v1::BackUpRequest());
  return Drain(*reader, context, options_, sink);
}

absl::StatusOr<v1::WorkerRecord> Client::DrainWorker(
    absl::string_view worker_id, absl::string_view reason) {
  v1::DrainWorkerRequest request;
  request.set_worker_id(std::string(worker_id));
  request.set_reason(std::string(reason));
  return Call(options_, stubs_->admin, &v1::AdminService::Stub::DrainWorker,
              request);
}

absl::StatusOr<v1::WorkerRecord> Client::UndrainWorker(
    absl::string_view worker_id) {
  v1::UndrainWorkerRequest request;
  request.set_worker_id(std::string(worker_id));
  return Call(options_, stubs_->admin, &v1::AdminService::Stub::UndrainWorker,
              request);
}

absl::StatusOr<v1::WorkerRecord> Client::QuarantineWorker(
    absl::string_view worker_id, absl::string_view reason) {
  v1::QuarantineWorkerRequest request;
  request.set_worker_id(std::string(worker_id));
  request.set_reason(std::string(reason));
  return Call(options_, stubs_->admin,
              &v1::AdminService::Stub::QuarantineWorker, request);
}

absl::StatusOr<v1::WorkerRecord> Client::ReleaseWorker(
    absl::string_view worker_id) {
  v1::ReleaseWorkerRequest request;
  request.set_worker_id(std::string(worker_id));
  return Call(options_, stubs_->admin, &v1::AdminService::Stub::ReleaseWorker,
              request);
}

absl::StatusOr<std::vector<std::string>> Client::FindMissingBlobs(
    const std::vector<std::string>& sha256) {
  // As many as one call takes.
  constexpr size_t kBatch = 10000;
  std::vector<std::string> missing;
  for (size_t begin = 0; begin < sha256.size(); begin += kBatch) {
    const size_t end = std::min(begin + kBatch, sha256.size());
    v1::FindMissingBlobsRequest request;
    for (size_t i = begin; i < end; ++i) request.add_sha256(sha256[i]);
    ASSAY_ASSIGN_OR_RETURN(
        v1::FindMissingBlobsResponse response,
        Call(options_, stubs_->blob, &v1::BlobService::Stub::FindMissingBlobs,
             request));
    missing.insert(missing.end(), response.missing_sha256().begin(),
                   response.missing_sha256().end());
  }
  return missing;
}

absl::Status Client::PutBlob(absl::string_view sha256,
                             absl::string_view content) {
  constexpr size_t kChunkBytes = size_t{1} << 20;
  grpc::ClientContext context;
  SetDeadline(context, options_.stream_timeout);
  const Cancellation::Scope scope(options_.cancellation, context);
  v1::PutBlobResponse response;
  const auto writer = stubs_->blob->PutBlob(&context, &response);
  v1::PutBlobRequest request;
  request.set_sha256(std::string(sha256));
  request.set_size_bytes(static_cast<int64_t>(content.size()));
  do {
    const absl::string_view chunk = content.substr(0, kChunkBytes);
    content.remove_prefix(chunk.size());
    request.set_data(chunk.data(), chunk.size());
    // A write that fails has its reason in Finish.
    if (!writer->Write(request)) break;
    request.Clear();
  } while (!content.empty());
  writer->WritesDone();
  return DescribeRpcError(writer->Finish(), options_.address);
}

absl::Status Client::GetBlob(
    absl::string_view sha256,
    const std::function<absl::Status(absl::string_view)>& sink) {
  grpc::ClientContext context;
  SetDeadline(context, options_.stream_timeout);
  const Cancellation::Scope scope(options_.cancellation, context);
  v1::GetBlobRequest request;
  request.set_sha256(std::string(sha256));
  const auto reader = stubs_->blob->GetBlob(&context, request);
  const auto take = [&sink](const v1::GetBlobResponse& response) {
    return sink(response.data());
  };
  return Drain(*reader, context, options_, take);
}

absl::StatusOr<v1::ImportTraceSetResponse> Client::ImportTraceSet(
    const std::function<bool(v1::ImportTraceSetRequest&)>& next) {
  grpc::ClientContext context;
  SetDeadline(context, options_.stream_timeout);
  const Cancellation::Scope scope(options_.cancellation, context);
  v1::ImportTraceSetResponse response;
  const auto writer = stubs_->catalog->ImportTraceSet(&context, &response);
  v1::ImportTraceSetRequest request;
  while (next(request) && writer->Write(request)) request.Clear();
  writer->WritesDone();
  const grpc::Status status = writer->Finish();
  if (!status.ok()) return DescribeRpcError(status, options_.address);
  return response;
}

absl::Status Client::WatchSubmissionsOnce(
    const std::vector<std::string>& ids,
    const std::function<bool(const v1::SubmissionEvent&)>& visit) {
  grpc::ClientContext context;
  SetDeadline(context, options_.stream_timeout);
  const Cancellation::Scope scope(options_.cancellation, context);
  v1::WatchSubmissionsRequest request;
  for (const std::string& id : ids) request.add_submission_ids(id);
  const auto reader = stubs_->evaluation->WatchSubmissions(&context, request);
  v1::SubmissionEvent event;
  while (reader->Read(&event)) {
    if (visit(event)) continue;
    context.TryCancel();
    reader->Finish();
    return absl::OkStatus();
  }
  return DescribeRpcError(reader->Finish(), options_.address);
}

}  // namespace assay
