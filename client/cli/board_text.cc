#include "client/cli/board_text.h"

#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "client/cli/evaluation_text.h"
#include "client/cli/table.h"
#include "client/cli/text.h"
#include "client/cli/units.h"

namespace assay {

namespace {

// What the entry's note says, and what is to be known of a result that ranks.
std::string Note(const v1::LeaderboardEntry& entry) {
  std::vector<std::string> parts;
  if (!entry.note().empty()) parts.push_back(entry.note());
  if (entry.workloads_unstable() > 0) {
    parts.push_back(absl::StrCat("unstable on ", entry.workloads_unstable(),
                                 " of ", entry.workloads_total(),
                                 " workloads"));
  }
  return absl::StrJoin(parts, "; ");
}

// "2 entries held for review, 1 rejected"; empty when there are none.
std::string HeldBack(const v1::Leaderboard& board) {
  std::vector<std::string> parts;
  if (board.entries_pending() > 0) {
    parts.push_back(
        absl::StrCat(Count(board.entries_pending(), "entry", "entries"),
                     " held for review"));
  }
  if (board.entries_rejected() > 0) {
    parts.push_back(
        absl::StrCat(Count(board.entries_rejected(), "entry", "entries"),
                     " rejected in a review"));
  }
  return absl::StrJoin(parts, ", ");
}

// "PASSED, held", "PASSED, unstable", "-" where nothing was evaluated.
std::string CellStatus(const v1::LeaderboardCell& cell) {
  if (cell.status() == v1::EVALUATION_STATUS_UNSPECIFIED) return "-";
  std::string text = StatusWord(cell.status());
  const std::string review = ReviewWord(cell.review_state());
  if (!review.empty()) absl::StrAppend(&text, ", ", review);
  if (cell.unstable()) absl::StrAppend(&text, ", unstable");
  return text;
}

// The one to look at.
std::string CellTrace(const v1::LeaderboardCell& cell) {
  return cell.review_trace_id().empty() ? cell.trace_id()
                                        : cell.review_trace_id();
}

}  // namespace

std::string BoardText(const v1::Leaderboard& board, int width) {
  const v1::LeaderboardKey& key = board.key();
  std::string text = Printable(
      absl::StrCat(key.definition(), " on ", key.hardware(),
                   // Nothing has been measured where there is none.
                   key.timer() == v1::TIMER_UNSPECIFIED
                       ? ""
                       : absl::StrCat(", ", TimerName(key.timer())),
                   ", ", Count(board.workload_uuids_size(), "workload")));
  Table table({{"rank", Table::kRight},
               {"solution", Table::kLeft, /*may_shrink=*/true},
               {"author", Table::kLeft, /*may_shrink=*/true},
               {"speed-up", Table::kRight},
               {"passed", Table::kRight},
               {"note", Table::kLeft, /*may_shrink=*/true}});
  for (const v1::LeaderboardEntry& entry : board.entries()) {
    table.Add(
        {entry.rank() > 0 ? absl::StrCat(entry.rank()) : "-", entry.solution(),
         entry.author(),
         entry.rank() > 0 ? FormatSpeedup(entry.speedup_geomean()) : "-",
         absl::StrCat(entry.workloads_passed(), "/", entry.workloads_total()),
         Note(entry)});
  }
  const std::string held_back = HeldBack(board);
  if (!held_back.empty()) absl::StrAppend(&text, "; ", held_back);
  absl::StrAppend(&text, "\n",
                  table.empty() ? "no results yet" : table.Render(width));
  return text;
}

std::string BoardCellsText(const v1::Leaderboard& board, const Labels& labels,
                           int width) {
  Table table({{"solution", Table::kLeft, /*may_shrink=*/true},
               {"workload", Table::kLeft, /*may_shrink=*/true},
               {"status"},
               {"latency", Table::kRight},
               {"speed-up", Table::kRight},
               {"trace"}});
  for (const v1::LeaderboardEntry& entry : board.entries()) {
    for (const v1::LeaderboardCell& cell : entry.cells()) {
      table.Add({entry.solution(), labels.Workload(cell.workload_uuid()),
                 CellStatus(cell), FormatLatency(cell.latency_ms()),
                 FormatSpeedup(cell.speedup_factor()), CellTrace(cell)});
    }
  }
  return table.Render(width);
}

}  // namespace assay
