// The one ranking rule, for the coordinator's boards and for reports about
// folders. Pure arithmetic.
//
// A solution ranks when it passed every workload of the board, nothing holds a
// result of it back, and each of its speed-ups is a positive number. The score
// is the geometric mean of the speed-ups, so that no workload counts for more
// than another; equal scores share a rank.

#ifndef ASSAY_RANKING_RANK_H_
#define ASSAY_RANKING_RANK_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "assay/v1/leaderboard_service.pb.h"
#include "ranking/trace_summary.h"

namespace assay {

// INVALID_ARGUMENT for no values, and for one that is not positive and finite.
absl::StatusOr<double> GeometricMean(const std::vector<double>& values);

// The entries of a board: ranked ones first, best first, then those that do
// not rank, by name. `traces` are oldest first; the latest of a solution on a
// workload counts, but one that is held back or was rejected is not got rid of
// by trying again.
std::vector<v1::LeaderboardEntry> Rank(
    const std::vector<std::string>& workload_uuids,
    const std::vector<TraceSummary>& traces);

}  // namespace assay

#endif  // ASSAY_RANKING_RANK_H_
