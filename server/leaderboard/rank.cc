#include "server/leaderboard/rank.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>

#include "absl/strings/str_cat.h"

namespace assay {
namespace {

// The latest trace of each solution on each workload.
using Results = std::map<std::string, const TraceSummary*>;

v1::LeaderboardCell Cell(const TraceSummary& trace) {
  v1::LeaderboardCell cell;
  cell.set_workload_uuid(trace.workload_uuid);
  cell.set_status(trace.status);
  cell.set_trace_id(trace.id);
  if (trace.status == v1::PASSED) {
    cell.set_latency_ms(trace.latency_ms);
    cell.set_speedup_factor(trace.speedup_factor);
  }
  return cell;
}

// Fills in the cells and the score, or the reason why there is none.
v1::LeaderboardEntry MakeEntry(const std::vector<std::string>& workload_uuids,
                               const Results& results) {
  const TraceSummary& any = *results.begin()->second;
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
    *entry.add_cells() = Cell(*it->second);
    if (it->second->status == v1::PASSED) {
      speedups.push_back(it->second->speedup_factor);
    }
  }
  const int total = entry.workloads_total();
  entry.set_workloads_passed(static_cast<int>(speedups.size()));
  if (evaluated < total) {
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
    by_solution[trace.solution][trace.workload_uuid] = &trace;
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
