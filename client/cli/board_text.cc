#include "client/cli/board_text.h"

#include "absl/strings/str_cat.h"
#include "client/cli/evaluation_text.h"
#include "client/cli/table.h"
#include "client/cli/text.h"
#include "client/cli/units.h"

namespace assay {

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
         entry.note()});
  }
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
      const bool evaluated = cell.status() != v1::EVALUATION_STATUS_UNSPECIFIED;
      table.Add({entry.solution(), labels.Workload(cell.workload_uuid()),
                 evaluated ? StatusWord(cell.status()) : "-",
                 FormatLatency(cell.latency_ms()),
                 FormatSpeedup(cell.speedup_factor()), cell.trace_id()});
    }
  }
  return table.Render(width);
}

}  // namespace assay
