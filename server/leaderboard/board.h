// Boards from the store.

#ifndef ASSAY_SERVER_LEADERBOARD_BOARD_H_
#define ASSAY_SERVER_LEADERBOARD_BOARD_H_

#include "absl/status/statusor.h"
#include "assay/v1/leaderboard_service.pb.h"
#include "server/store/session.h"

namespace assay {

// The board of the definition on the hardware: over the workloads that are
// meant for it or were evaluated on it, with the timer that most of its
// results have. Imported traces and probes do not take part. NOT_FOUND names
// the definition.
absl::StatusOr<v1::Leaderboard> MakeLeaderboard(
    Session& session, const v1::GetLeaderboardRequest& request);

}  // namespace assay

#endif  // ASSAY_SERVER_LEADERBOARD_BOARD_H_
