#include "client/report/folder_summary.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "ranking/rank.h"

namespace assay {
namespace {

struct Tally {
  AuthorScore score;
  std::vector<double> speedups;
};

// By hardware and author.
using Tallies = std::map<std::pair<std::string, std::string>, Tally>;

// The fastest latency of each author on each workload of a board.
using Fastest = std::map<std::string, std::map<std::string, double>>;

void AddCell(const v1::LeaderboardCell& cell, Tally& tally) {
  if (cell.status() == v1::EVALUATION_STATUS_UNSPECIFIED) return;
  ++tally.score.cells;
  if (cell.status() != v1::PASSED) return;
  ++tally.score.cells_passed;
  // What cannot be averaged has no part: nothing was measured, or it cannot be.
  if (GeometricMean({cell.speedup_factor()}).ok()) {
    tally.speedups.push_back(cell.speedup_factor());
  }
}

void NoteLatency(const v1::LeaderboardCell& cell, const std::string& author,
                 Fastest& fastest) {
  if (cell.status() != v1::PASSED) return;
  const auto [known, is_new] =
      fastest[cell.workload_uuid()].emplace(author, cell.latency_ms());
  if (!is_new) known->second = std::min(known->second, cell.latency_ms());
}

void AddWins(const std::string& hardware, const Fastest& fastest,
             Tallies& tallies) {
  for (const auto& [workload, by_author] : fastest) {
    const double best = std::min_element(by_author.begin(), by_author.end(),
                                         [](const auto& a, const auto& b) {
                                           return a.second < b.second;
                                         })
                            ->second;
    for (const auto& [author, latency] : by_author) {
      AuthorScore& score = tallies[{hardware, author}].score;
      ++score.workloads_passed;
      if (latency == best) ++score.workloads_won;
    }
  }
}

void AddBoard(const v1::Leaderboard& board, Tallies& tallies) {
  Fastest fastest;
  for (const v1::LeaderboardEntry& entry : board.entries()) {
    Tally& tally = tallies[{board.key().hardware(), entry.author()}];
    for (const v1::LeaderboardCell& cell : entry.cells()) {
      AddCell(cell, tally);
      NoteLatency(cell, entry.author(), fastest);
    }
  }
  AddWins(board.key().hardware(), fastest, tallies);
}

AuthorScore Finish(const std::pair<std::string, std::string>& key,
                   Tally tally) {
  std::tie(tally.score.hardware, tally.score.author) = key;
  const auto mean = GeometricMean(tally.speedups);
  if (mean.ok()) tally.score.speedup_geomean = *mean;
  return std::move(tally.score);
}

}  // namespace

FolderSummary SummarizeFolder(const TraceSet& set,
                              const std::vector<v1::Leaderboard>& boards) {
  FolderSummary summary;
  for (const auto& item : set.traces) {
    ++summary.traces;
    ++summary.by_status[item.value.evaluation().status()];
  }
  Tallies tallies;
  for (const v1::Leaderboard& board : boards) AddBoard(board, tallies);
  for (auto& [key, tally] : tallies) {
    summary.authors.push_back(Finish(key, std::move(tally)));
  }
  std::stable_sort(summary.authors.begin(), summary.authors.end(),
                   [](const AuthorScore& a, const AuthorScore& b) {
                     return std::make_tuple(a.hardware, -a.speedup_geomean) <
                            std::make_tuple(b.hardware, -b.speedup_geomean);
                   });
  return summary;
}

}  // namespace assay
