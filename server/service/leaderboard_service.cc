#include "server/service/leaderboard_service.h"

#include "server/leaderboard/board.h"
#include "server/rpc/unary.h"
#include "server/store/paging.h"

namespace assay {

grpc::ServerUnaryReactor* LeaderboardServiceImpl::GetLeaderboard(
    grpc::CallbackServerContext* context,
    const v1::GetLeaderboardRequest* request, v1::Leaderboard* response) {
  grpc::ServerUnaryReactor* reactor = context->DefaultReactor();
  store_.Read<v1::Leaderboard>(
      [request](Session& session) {
        return MakeLeaderboard(session, *request);
      },
      Answer(reactor, response));
  return reactor;
}

grpc::ServerUnaryReactor* LeaderboardServiceImpl::ListLeaderboards(
    grpc::CallbackServerContext* context,
    const v1::ListLeaderboardsRequest* request,
    v1::ListLeaderboardsResponse* response) {
  const absl::StatusOr<Paging> paging = Paging::Parse(
      request->page_size(), request->page_token(), {"leaderboards"});
  if (!paging.ok()) return Refuse(context, paging.status());
  grpc::ServerUnaryReactor* reactor = context->DefaultReactor();
  store_.Read<v1::ListLeaderboardsResponse>(
      [paging = *paging](Session& session) {
        return session.traces().ListBoards(paging);
      },
      Answer(reactor, response));
  return reactor;
}

}  // namespace assay
