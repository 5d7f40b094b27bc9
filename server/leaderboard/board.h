// Boards from the store.

#ifndef ASSAY_SERVER_LEADERBOARD_BOARD_H_
#define ASSAY_SERVER_LEADERBOARD_BOARD_H_

#include <string>

#include "absl/status/statusor.h"
#include "assay/v1/leaderboard_service.pb.h"
#include "server/store/board_table.h"
#include "server/store/session.h"

namespace assay {

// The board of the definition on the hardware: over the workloads that are
// meant for it or were evaluated on it, with the timer that most of its
// results have. Imported traces and probes do not take part. NOT_FOUND names
// the definition.
absl::StatusOr<v1::Leaderboard> MakeLeaderboard(
    Session& session, const v1::GetLeaderboardRequest& request);

// The same from these traces of it.
absl::StatusOr<v1::Leaderboard> ComposeLeaderboard(
    Session& session, const std::string& definition,
    const std::string& hardware, BoardTraces traces);

}  // namespace assay

#endif  // ASSAY_SERVER_LEADERBOARD_BOARD_H_
