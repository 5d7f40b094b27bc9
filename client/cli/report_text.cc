#include "client/cli/report_text.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "client/cli/evaluation_text.h"
#include "client/cli/table.h"
#include "client/cli/text.h"
#include "client/cli/units.h"

namespace assay {
namespace {

constexpr int kBarWidth = 30;

std::string Share(int64_t part, int64_t whole) {
  return absl::StrCat(part, "/", whole);
}

std::string OrUnknown(const std::string& name) {
  return name.empty() ? "(unknown)" : Printable(name);
}

std::string VerdictsText(const FolderSummary& summary) {
  std::vector<std::string> parts;
  for (const auto& [status, count] : summary.by_status) {
    parts.push_back(absl::StrCat(count, " ", StatusWord(status)));
  }
  const std::string traces = Count(summary.traces, "trace");
  if (parts.empty()) return traces;
  return absl::StrCat(traces, ": ", absl::StrJoin(parts, ", "));
}

// In eighths of a column.
std::string Bar(double share) {
  static constexpr const char* kParts[] = {"",  "▏", "▎", "▍",
                                           "▌", "▋", "▊", "▉"};
  const int eighths = std::clamp(
      static_cast<int>(std::lround(share * kBarWidth * 8)), 1, kBarWidth * 8);
  std::string bar;
  for (int i = 0; i < eighths / 8; ++i) bar += "█";
  return bar + kParts[eighths % 8];
}

}  // namespace

std::string SummaryText(const FolderSummary& summary, int width) {
  std::string text = VerdictsText(summary);
  if (summary.authors.empty()) return text;
  Table table({{"hardware", Table::kLeft, /*may_shrink=*/true},
               {"author", Table::kLeft, /*may_shrink=*/true},
               {"speed-up", Table::kRight},
               {"passed", Table::kRight},
               {"fastest", Table::kRight}});
  for (const AuthorScore& score : summary.authors) {
    table.Add({OrUnknown(score.hardware), OrUnknown(score.author),
               FormatSpeedup(score.speedup_geomean),
               Share(score.cells_passed, score.cells),
               Share(score.workloads_won, score.workloads_passed)});
  }
  return absl::StrCat(
      text, "\n\n", table.Render(width),
      "\n\nspeed-up: geometric mean over results that passed; fastest: "
      "workloads on which nobody was faster, of those passed");
}

std::string BestText(const std::vector<v1::Leaderboard>& boards, int width) {
  Table table({{"definition", Table::kLeft, /*may_shrink=*/true},
               {"hardware", Table::kLeft, /*may_shrink=*/true},
               {"best solution", Table::kLeft, /*may_shrink=*/true},
               {"author", Table::kLeft, /*may_shrink=*/true},
               {"speed-up", Table::kRight},
               {"workloads", Table::kRight}});
  for (const v1::Leaderboard& board : boards) {
    const v1::LeaderboardEntry& best = board.entries(0);
    const bool ranks = best.rank() > 0;
    table.Add({Printable(board.key().definition()),
               OrUnknown(board.key().hardware()),
               ranks ? Printable(best.solution())
                     : absl::StrCat("none: the nearest ", best.note()),
               ranks ? OrUnknown(best.author()) : "-",
               FormatSpeedup(best.speedup_geomean()),
               absl::StrCat(board.workload_uuids_size())});
  }
  return table.Render(width);
}

std::string BarsText(const v1::Leaderboard& board, int width) {
  double best = 0;
  for (const v1::LeaderboardEntry& entry : board.entries()) {
    best = std::max(best, entry.speedup_geomean());
  }
  Table table({{"solution", Table::kLeft, /*may_shrink=*/true},
               {"speed-up", Table::kRight},
               {""}});
  for (const v1::LeaderboardEntry& entry : board.entries()) {
    table.Add({Printable(entry.solution()),
               FormatSpeedup(entry.speedup_geomean()),
               entry.rank() > 0 ? Bar(entry.speedup_geomean() / best)
                                : entry.note()});
  }
  return absl::StrCat(Printable(board.key().definition()), " on ",
                      OrUnknown(board.key().hardware()), ", ",
                      Count(board.workload_uuids_size(), "workload"), "\n",
                      table.Render(width));
}

}  // namespace assay
