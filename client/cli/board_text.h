// Leaderboards as text.

#ifndef ASSAY_CLIENT_CLI_BOARD_TEXT_H_
#define ASSAY_CLIENT_CLI_BOARD_TEXT_H_

#include <string>

#include "assay/v1/leaderboard_service.pb.h"
#include "client/cli/reporter.h"

namespace assay {

// What the speed-ups are; goes before the first board.
inline constexpr char kBoardLegend[] =
    "speed-up: geometric mean over the workloads of reference latency / "
    "latency";

// What the board is about, and a row for each solution.
std::string BoardText(const v1::Leaderboard& board, int width);

// A row for each solution and workload of the board.
std::string BoardCellsText(const v1::Leaderboard& board, const Labels& labels,
                           int width);

}  // namespace assay

#endif  // ASSAY_CLIENT_CLI_BOARD_TEXT_H_
