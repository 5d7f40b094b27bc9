#include "server/service/leaderboard_service.h"

#include <memory>
#include <utility>

#include "base/grpc_status.h"
#include "base/status_macros.h"
#include "server/leaderboard/board.h"
#include "server/rpc/unary.h"
#include "server/store/paging.h"

namespace assay {

grpc::ServerUnaryReactor* LeaderboardServiceImpl::GetLeaderboard(
    grpc::CallbackServerContext* context,
    const v1::GetLeaderboardRequest* request, v1::Leaderboard* response) {
  grpc::ServerUnaryReactor* reactor = context->DefaultReactor();
  BoardCache::Ticket ticket = cache_.Begin(*request);
  if (ticket.board != nullptr) {
    *response = *ticket.board;
    reactor->Finish(grpc::Status::OK);
    return reactor;
  }
  store_.Read<BoardCache::Board>(
      [request](Session& session) -> absl::StatusOr<BoardCache::Board> {
        ASSAY_ASSIGN_OR_RETURN(v1::Leaderboard board,
                               MakeLeaderboard(session, *request));
        return std::make_shared<const v1::Leaderboard>(std::move(board));
      },
      [this, request, response, reactor,
       ticket](const absl::StatusOr<BoardCache::Board>& board) {
        if (board.ok()) {
          cache_.Put(*request, ticket, *board);
          *response = **board;
        }
        reactor->Finish(ToGrpcStatus(board.status()));
      });
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
        return session.boards().List(paging);
      },
      Answer(reactor, response));
  return reactor;
}

}  // namespace assay
