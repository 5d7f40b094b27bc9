#include "ranking/rank.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>

#include "absl/strings/str_cat.h"

namespace assay {
namespace {

// What a solution achieved on one workload.
struct Result {
  const TraceSummary* latest = nullptr;
  // The latest of those that keep it from ranking, rejected ones first; null
  // when there are none.
  const TraceSummary* obstacle = nullptr;
};

// By workload.
using Results = std::map<std::string, Result>;

// How much a trace stands in the way of ranking.
int Gravity(const TraceSummary* trace) {
  if (trace == nullptr) return 0;
  switch (trace->review_state) {
    case v1::Review::REJECTED:
      return 2;
    case v1::Review::PENDING:
      return 1;
    default:
      return 0;
  }
}

void Add(const TraceSummary& trace, Result& result) {
  result.latest = &trace;
  const int gravity = Gravity(&trace);
  if (gravity > 0 && gravity >= Gravity(result.obstacle)) {
    result.obstacle = &trace;
  }
}

v1::LeaderboardCell Cell(const Result& result) {
  const TraceSummary& trace = *result.latest;
  v1::LeaderboardCell cell;
  cell.set_workload_uuid(trace.workload_uuid);
  cell.set_status(trace.status);
  cell.set_trace_id(trace.id);
  if (trace.status == v1::PASSED) {
    cell.set_latency_ms(trace.latency_ms);
    cell.set_speedup_factor(trace.speedup_factor);
    cell.set_unstable(trace.unstable);
  }
  if (result.obstacle != nullptr) {
    cell.set_review_state(result.obstacle->review_state);
    cell.set_review_trace_id(result.obstacle->id);
  } else {
    cell.set_review_state(trace.review_state);
  }
  return cell;
}

void CountCells(v1::LeaderboardEntry& entry) {
  for (const v1::LeaderboardCell& cell : entry.cells()) {
    switch (cell.review_state()) {
      case v1::Review::PENDING:
        entry.set_workloads_pending(entry.workloads_pending() + 1);
        break;
      case v1::Review::REJECTED:
        entry.set_workloads_rejected(entry.workloads_rejected() + 1);
        break;
      default:
        break;
    }
    if (cell.unstable()) {
      entry.set_workloads_unstable(entry.workloads_unstable() + 1);
    }
  }
}

// Why reviews keep the entry from ranking; empty when they do not.
std::string ReviewNote(const v1::LeaderboardEntry& entry) {
  if (entry.workloads_rejected() > 0) {
    return absl::StrCat("rejected in a review on ", entry.workloads_rejected(),
                        " of ", entry.workloads_total(), " workloads");
  }
  if (entry.workloads_pending() > 0) {
    return absl::StrCat("held for review on ", entry.workloads_pending(),
                        " of ", entry.workloads_total(), " workloads");
  }
  return "";
}

// The cells, and the score or the reason why there is none.
v1::LeaderboardEntry MakeEntry(const std::vector<std::string>& workload_uuids,
                               const Results& results) {
  const TraceSummary& any = *results.begin()->second.latest;
  v1::LeaderboardEntry entry;
  entry.set_solution(any.solution);
  entry.set_solution_digest(any.solution_digest);
  entry.set_author(any.author);
  entry.set_workloads_total(static_cast<int>(workload_uuids.size()));
  std::vector<double> speedups;
  int evaluated = 0;
  for (const std::string& uuid : workload_uuids) {
    const auto it = results.find(uuid);
    if (it == results.end()) {
      entry.add_cells()->set_workload_uuid(uuid);
      continue;
    }
    ++evaluated;
    *entry.add_cells() = Cell(it->second);
    if (it->second.latest->status == v1::PASSED) {
      speedups.push_back(it->second.latest->speedup_factor);
    }
  }
  CountCells(entry);
  const int total = entry.workloads_total();
  entry.set_workloads_passed(static_cast<int>(speedups.size()));
  if (std::string note = ReviewNote(entry); !note.empty()) {
    entry.set_note(std::move(note));
  } else if (evaluated < total) {
    entry.set_note(
        absl::StrCat("evaluated on ", evaluated, " of ", total, " workloads"));
  } else if (entry.workloads_passed() < total) {
    entry.set_note(absl::StrCat("passed ", entry.workloads_passed(), " of ",
                                total, " workloads"));
  } else if (const auto mean = GeometricMean(speedups); mean.ok()) {
    entry.set_speedup_geomean(*mean);
  } else {
    entry.set_note("no speed-up was measured on some workload");
  }
  return entry;
}

// Smaller goes first.
auto Order(const v1::LeaderboardEntry& entry) {
  return std::make_tuple(!entry.note().empty(), -entry.speedup_geomean(),
                         entry.solution());
}

}  // namespace

absl::StatusOr<double> GeometricMean(const std::vector<double>& values) {
  if (values.empty()) return absl::InvalidArgumentError("there are no values");
  double sum_of_logs = 0;
  for (const double value : values) {
    // Written so that a NaN does not pass.
    if (!(value > 0) || std::isinf(value)) {
      return absl::InvalidArgumentError(
          absl::StrCat("\"", value, "\" is not a positive number"));
    }
    sum_of_logs += std::log(value);
  }
  return std::exp(sum_of_logs / static_cast<double>(values.size()));
}

std::vector<v1::LeaderboardEntry> Rank(
    const std::vector<std::string>& workload_uuids,
    const std::vector<TraceSummary>& traces) {
  std::map<std::string, Results> by_solution;
  for (const TraceSummary& trace : traces) {
    Add(trace, by_solution[trace.solution][trace.workload_uuid]);
  }
  std::vector<v1::LeaderboardEntry> entries;
  for (const auto& [solution, results] : by_solution) {
    entries.push_back(MakeEntry(workload_uuids, results));
  }
  std::sort(entries.begin(), entries.end(),
            [](const v1::LeaderboardEntry& a, const v1::LeaderboardEntry& b) {
              return Order(a) < Order(b);
            });
  for (size_t i = 0; i < entries.size() && entries[i].note().empty(); ++i) {
    const bool ties = i > 0 && entries[i].speedup_geomean() ==
                                   entries[i - 1].speedup_geomean();
    entries[i].set_rank(ties ? entries[i - 1].rank() : static_cast<int>(i) + 1);
  }
  return entries;
}

}  // namespace assay
