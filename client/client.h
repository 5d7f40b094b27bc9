// The coordinator's API as plain calls.
//
//   Client::Options options;
//   options.address = "127.0.0.1:50051";
//   ASSAY_ASSIGN_OR_RETURN(std::unique_ptr<Client> client,
//                          Client::Connect(options));
//   ASSAY_ASSIGN_OR_RETURN(v1::Submission submission,
//                          client->CreateSubmission(request));
//
// Every call has a deadline. An error is what the coordinator answered, or says
// why it could not be reached (see rpc_error.h). Calls that were turned away
// because the coordinator is busy, starting or stopping are repeated a few
// times first. Watching and folders stand on top: watch.h, import.h, export.h.
// Thread-safe.

#ifndef ASSAY_CLIENT_CLIENT_H_
#define ASSAY_CLIENT_CLIENT_H_

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "assay/v1/admin_service.pb.h"
#include "assay/v1/catalog_service.pb.h"
#include "assay/v1/evaluation_service.pb.h"
#include "assay/v1/leaderboard_service.pb.h"
#include "assay/v1/token_service.pb.h"
#include "assay/v1/worker_service.pb.h"
#include "base/channel_security.h"
#include "client/address.h"
#include "client/cancellation.h"
#include "client/pager.h"

namespace assay {

class Client {
 public:
  struct Options {
    // `host:port` or `unix:/path`, see address.h.
    std::string address = kDefaultServerAddress;
    // Token and encryption.
    ChannelSecurity security;
    // For the first answer.
    absl::Duration connect_timeout = absl::Seconds(5);
    // For one call, its repeats included.
    absl::Duration call_timeout = absl::Seconds(60);
    // For one stream. A watch opens another when it has passed.
    absl::Duration stream_timeout = absl::Minutes(30);
    // Gives calls up from outside. May be null; outlives the client.
    Cancellation* cancellation = nullptr;
  };

  // Dials, and asks the coordinator what it is. UNAVAILABLE when it cannot be
  // reached, FAILED_PRECONDITION when it speaks another API.
  static absl::StatusOr<std::unique_ptr<Client>> Connect(Options options);
  ~Client();
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  const std::string& address() const { return options_.address; }
  // What the coordinator said when the client connected.
  const v1::ServerInfo& server_info() const { return server_info_; }
  Cancellation* cancellation() const { return options_.cancellation; }

  // Each call means what the comment on it in proto/assay/v1 says. List calls
  // take the filter and do the paging.
  absl::StatusOr<v1::DefinitionRecord> GetDefinition(absl::string_view name);
  Pager<v1::DefinitionRecord> ListDefinitions(
      v1::ListDefinitionsRequest filter = {});
  absl::StatusOr<v1::SolutionRecord> GetSolution(absl::string_view name);
  Pager<v1::SolutionRecord> ListSolutions(v1::ListSolutionsRequest filter = {});
  absl::StatusOr<v1::WorkloadRecord> GetWorkload(absl::string_view uuid);
  Pager<v1::WorkloadRecord> ListWorkloads(v1::ListWorkloadsRequest filter = {});

  // With an empty request_id it draws one, so that repeats are harmless.
  absl::StatusOr<v1::Submission> CreateSubmission(
      v1::CreateSubmissionRequest request);
  absl::StatusOr<v1::Submission> GetSubmission(absl::string_view id);
  Pager<v1::Submission> ListSubmissions(v1::ListSubmissionsRequest filter = {});
  absl::StatusOr<v1::Submission> CancelSubmission(absl::string_view id);
  absl::StatusOr<v1::Submission> CancelSubmission(absl::string_view id,
                                                  absl::Duration timeout);
  Pager<v1::Job> ListJobs(v1::ListJobsRequest filter);
  absl::StatusOr<v1::TraceRecord> GetTrace(absl::string_view id);
  Pager<v1::TraceRecord> ListTraces(v1::ListTracesRequest filter = {});
  absl::StatusOr<v1::TraceRecord> ReviewTrace(
      const v1::ReviewTraceRequest& request);

  absl::StatusOr<v1::Leaderboard> GetLeaderboard(absl::string_view definition,
                                                 absl::string_view hardware);
  Pager<v1::LeaderboardKey> ListLeaderboards();

  absl::StatusOr<v1::WorkerRecord> GetWorker(absl::string_view worker_id);
  Pager<v1::WorkerRecord> ListWorkers();
  absl::StatusOr<v1::WorkerRecord> DrainWorker(absl::string_view worker_id,
                                               absl::string_view reason);
  absl::StatusOr<v1::WorkerRecord> UndrainWorker(absl::string_view worker_id);
  absl::StatusOr<v1::WorkerRecord> QuarantineWorker(absl::string_view worker_id,
                                                    absl::string_view reason);
  absl::StatusOr<v1::WorkerRecord> ReleaseWorker(absl::string_view worker_id);

  // The only place that ever has the text of the token.
  absl::StatusOr<v1::CreateTokenResponse> CreateToken(
      const v1::CreateTokenRequest& request);
  Pager<v1::Token> ListTokens();
  absl::StatusOr<v1::Token> RevokeToken(absl::string_view id);
  // Hands the parts to `sink` in order; its error ends the call. See back_up.h.
  absl::Status BackUp(
      const std::function<absl::Status(const v1::BackUpResponse&)>& sink);

  absl::StatusOr<std::vector<std::string>> FindMissingBlobs(
      const std::vector<std::string>& sha256);
  absl::Status PutBlob(absl::string_view sha256, absl::string_view content);
  // Hands the content to `sink` in order; its error ends the call.
  absl::Status GetBlob(
      absl::string_view sha256,
      const std::function<absl::Status(absl::string_view)>& sink);

  // Sends the items that `next` fills in, until it returns false.
  absl::StatusOr<v1::ImportTraceSetResponse> ImportTraceSet(
      const std::function<bool(v1::ImportTraceSetRequest&)>& next);

  // One stream, see watch.h for one that survives a restart. DEADLINE_EXCEEDED
  // after `stream_timeout`. Ends early, with OK, when `visit` returns false.
  absl::Status WatchSubmissionsOnce(
      const std::vector<std::string>& ids,
      const std::function<bool(const v1::SubmissionEvent&)>& visit);

 private:
  // What gRPC generates, kept out of this header: it takes long to compile.
  struct Stubs;

  Client(Options options, std::unique_ptr<Stubs> stubs);

  const Options options_;
  const std::unique_ptr<Stubs> stubs_;
  v1::ServerInfo server_info_;
};

}  // namespace assay

#endif  // ASSAY_CLIENT_CLIENT_H_
