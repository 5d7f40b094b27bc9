#include <chrono>
#include <memory>
#include <utility>

#include "absl/time/clock.h"
#include "assay/v1/leaderboard_service.grpc.pb.h"
#include "base/status_macros.h"
#include "tests/load/backlog.h"
#include "tests/load/calls.h"
#include "tests/load/open_loop.h"
#include "tests/load/process_usage.h"
#include "tests/load/report.h"
#include "tests/load/samples.h"
#include "tests/load/scenarios.h"
#include "tests/load/workers.h"

namespace assay::load {
namespace {

// Lives until its call has ended.
struct BoardCall {
  grpc::ClientContext context;
  v1::GetLeaderboardRequest request;
  v1::Leaderboard response;
};

void StartGet(v1::LeaderboardService::Stub& stub, int definition,
              OpenLoop::Done done) {
  auto call = std::make_shared<BoardCall>();
  call->context.set_deadline(std::chrono::system_clock::now() +
                             std::chrono::minutes(1));
  call->request.set_definition(DefinitionName(definition));
  stub.async()->GetLeaderboard(
      &call->context, &call->request, &call->response,
      [call, done = std::move(done)](const grpc::Status& status) {
        done(FromGrpcStatus(status));
      });
}

}  // namespace

absl::Status MeasureBoards(const Target& target, const BoardOptions& options) {
  const auto stub = v1::LeaderboardService::NewStub(Connect(target.address));
  const auto start = [&](int number, OpenLoop::Done done) {
    StartGet(*stub, number % target.definitions, std::move(done));
  };
  v1::GetLeaderboardRequest request;
  request.set_definition(DefinitionName(0));
  const absl::Time first = absl::Now();
  ASSAY_ASSIGN_OR_RETURN(
      const v1::Leaderboard board,
      Call(*stub, &v1::LeaderboardService::Stub::GetLeaderboard, request));
  const absl::Duration first_took = absl::Now() - first;

  Backlog backlog(target, 20);
  Workers workers(target, options.workers, 0,
                  [&](absl::Duration) { backlog.NoteRecorded(); });
  if (options.workers > 0) {
    backlog.Start();
    workers.Start();
  }
  OpenLoop warm_up;
  ASSAY_RETURN_IF_ERROR(warm_up.Run(options.rate, absl::Seconds(2), start));
  ASSAY_ASSIGN_OR_RETURN(const ProcessUsage before,
                         ReadProcessUsage(target.pid));
  OpenLoop loop;
  ASSAY_RETURN_IF_ERROR(loop.Run(options.rate, options.length, start));
  ASSAY_ASSIGN_OR_RETURN(const ProcessUsage after,
                         ReadProcessUsage(target.pid));
  ASSAY_RETURN_IF_ERROR(backlog.Stop());
  ASSAY_RETURN_IF_ERROR(workers.Stop());

  Report report(options.workers > 0 ? "board-busy" : "board", target.json_path);
  report.Add("boards a second", options.rate, "/s");
  report.Add("size of one", static_cast<double>(board.ByteSizeLong()) / 1e3,
             "KB");
  report.Add("entries of one", board.entries_size(), "");
  report.Add("first call", absl::ToDoubleMilliseconds(first_took), "ms");
  report.AddLatencies("due to answered", loop.latencies(),
                      options.workers > 0 ? "" : "p99 below 5 ms");
  if (options.workers == 0) {
    report.Add("coordinator's processor time",
               absl::ToDoubleMicroseconds(after.cpu - before.cpu) /
                   static_cast<double>(loop.latencies().count()),
               "us each");
  }
  return report.status();
}

}  // namespace assay::load
