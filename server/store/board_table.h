// What leaderboards need of the traces, kept up to date with each of them: a
// board costs by its cells, not by the traces that have come in over the years.
// Imported traces and those of probes take no part.

#ifndef ASSAY_SERVER_STORE_BOARD_TABLE_H_
#define ASSAY_SERVER_STORE_BOARD_TABLE_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "assay/v1/evaluation_service.pb.h"
#include "assay/v1/leaderboard_service.pb.h"
#include "ranking/trace_summary.h"
#include "server/store/change_log.h"
#include "server/store/paging.h"
#include "server/store/sqlite.h"

namespace assay {

// The traces of a board that can bear on it, of the latest revisions of
// solutions.
struct BoardTraces {
  // Of each solution, workload and timer the latest one, and all that are held
  // or were reviewed. Oldest first.
  std::vector<TraceSummary> traces;
  // How many there are by timer, those that are not in `traces` too.
  std::map<v1::Timer, int64_t> counts;
};

class BoardTable {
 public:
  BoardTable(Database& database, ChangeLog& changes)
      : database_(database), changes_(changes) {}

  // After a trace was stored as the row `seq`.
  absl::Status NoteTrace(const v1::TraceRecord& record, int64_t seq);
  // After a review of a trace was stored.
  absl::Status NoteReview(absl::string_view trace_id);

  absl::StatusOr<BoardTraces> Traces(absl::string_view definition,
                                     absl::string_view hardware);
  // The hardware with the most traces; empty when there are none.
  absl::StatusOr<std::string> MainHardware(absl::string_view definition);
  // Ordered by definition, hardware and timer. A hardware on which nothing has
  // passed has one board without a timer.
  absl::StatusOr<v1::ListLeaderboardsResponse> List(Paging paging);

 private:
  absl::Status AddCells(absl::string_view definition,
                        absl::string_view hardware, BoardTraces& board);
  absl::Status AddContested(absl::string_view definition,
                            absl::string_view hardware, BoardTraces& board);

  Database& database_;
  ChangeLog& changes_;
};

}  // namespace assay

#endif  // ASSAY_SERVER_STORE_BOARD_TABLE_H_
