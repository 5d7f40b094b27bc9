// LeaderboardService over the store.

#ifndef ASSAY_SERVER_SERVICE_LEADERBOARD_SERVICE_H_
#define ASSAY_SERVER_SERVICE_LEADERBOARD_SERVICE_H_

#include "assay/v1/leaderboard_service.grpc.pb.h"
#include "server/leaderboard/board_cache.h"
#include "server/store/store.h"

namespace assay {

// The store and the cache outlive it. Thread-safe.
class LeaderboardServiceImpl final
    : public v1::LeaderboardService::CallbackService {
 public:
  LeaderboardServiceImpl(Store& store, BoardCache& cache)
      : store_(store), cache_(cache) {}

  grpc::ServerUnaryReactor* GetLeaderboard(
      grpc::CallbackServerContext* context,
      const v1::GetLeaderboardRequest* request,
      v1::Leaderboard* response) override;
  grpc::ServerUnaryReactor* ListLeaderboards(
      grpc::CallbackServerContext* context,
      const v1::ListLeaderboardsRequest* request,
      v1::ListLeaderboardsResponse* response) override;

 private:
  Store& store_;
  BoardCache& cache_;
};

}  // namespace assay

#endif  // ASSAY_SERVER_SERVICE_LEADERBOARD_SERVICE_H_
