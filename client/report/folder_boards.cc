#include "client/report/folder_boards.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "ranking/rank.h"
#include "schema/hardware.h"

namespace assay {
namespace {

// Definition and hardware.
using Key = std::pair<std::string, std::string>;

using Authors = std::map<std::string, std::string>;

Authors AuthorsOf(const TraceSet& set) {
  Authors authors;
  for (const auto& item : set.solutions) {
    authors[item.value.name()] = item.value.author();
  }
  return authors;
}

v1::Review::State ReviewState(const v1::Evaluation& evaluation) {
  for (const v1::Finding& finding : evaluation.findings()) {
    if (finding.effect() != v1::Finding::NOTE) return v1::Review::PENDING;
  }
  return v1::Review::STATE_UNSPECIFIED;
}

TraceSummary Summarize(const TraceSetItem<v1::Trace>& item,
                       const Authors& authors) {
  const v1::Trace& trace = item.value;
  const v1::Evaluation& evaluation = trace.evaluation();
  TraceSummary summary;
  summary.id = item.origin;
  summary.solution = trace.solution();
  const auto author = authors.find(trace.solution());
  if (author != authors.end()) summary.author = author->second;
  summary.workload_uuid = trace.workload().uuid();
  summary.status = evaluation.status();
  summary.timer = evaluation.performance().timer();
  summary.latency_ms = evaluation.performance().latency_ms();
  summary.speedup_factor = evaluation.performance().speedup_factor();
  summary.unstable = evaluation.performance().unstable();
  summary.review_state = ReviewState(evaluation);
  return summary;
}

bool IsOlder(const TraceSetItem<v1::Trace>* a,
             const TraceSetItem<v1::Trace>* b) {
  const auto& x = a->value.evaluation().timestamp();
  const auto& y = b->value.evaluation().timestamp();
  return std::make_pair(x.seconds(), x.nanos()) <
         std::make_pair(y.seconds(), y.nanos());
}

// Oldest first; in the folder's order where the time is the same.
std::vector<TraceSummary> SummarizeAll(
    std::vector<const TraceSetItem<v1::Trace>*> items, const Authors& authors) {
  std::stable_sort(items.begin(), items.end(), IsOlder);
  std::vector<TraceSummary> traces;
  for (const auto* item : items) {
    traces.push_back(Summarize(*item, authors));
    traces.back().seq = static_cast<int64_t>(traces.size());
  }
  return traces;
}

// The timer of most results that passed, the others' traces left out. Traces
// of other programs name none.
v1::Timer KeepMainTimer(std::vector<TraceSummary>& traces) {
  std::map<v1::Timer, int64_t> counts;
  for (const TraceSummary& trace : traces) {
    if (trace.status == v1::PASSED) ++counts[trace.timer];
  }
  if (counts.empty()) return v1::TIMER_UNSPECIFIED;
  const v1::Timer main = std::max_element(counts.begin(), counts.end(),
                                          [](const auto& a, const auto& b) {
                                            return a.second < b.second;
                                          })
                             ->first;
  traces.erase(std::remove_if(traces.begin(), traces.end(),
                              [&](const TraceSummary& trace) {
                                return trace.status == v1::PASSED &&
                                       trace.timer != main;
                              }),
               traces.end());
  return main;
}

std::vector<std::string> WorkloadsOf(const TraceSet& set, const Key& key,
                                     const std::vector<TraceSummary>& traces) {
  std::set<std::string> evaluated;
  for (const TraceSummary& trace : traces) {
    evaluated.insert(trace.workload_uuid);
  }
  v1::Device device;
  device.set_model(key.second);
  device.set_kind(HardwareKind(key.second));
  std::vector<std::string> uuids;
  std::set<std::string> known;
  const auto add = [&](const std::string& uuid) {
    if (known.insert(uuid).second) uuids.push_back(uuid);
  };
  for (const auto& item : set.workloads) {
    if (item.value.definition() != key.first) continue;
    const v1::Workload& workload = item.value.workload();
    if (evaluated.count(workload.uuid()) > 0 ||
        AnyHardwareMatches(workload.target_hardware(), device)) {
      add(workload.uuid());
    }
  }
  for (const TraceSummary& trace : traces) add(trace.workload_uuid);
  return uuids;
}

void CountHeldBack(v1::Leaderboard& board) {
  for (const v1::LeaderboardEntry& entry : board.entries()) {
    if (entry.workloads_pending() == 0) continue;
    board.set_entries_pending(board.entries_pending() + 1);
  }
}

v1::Leaderboard MakeBoard(const TraceSet& set, const Key& key,
                          std::vector<TraceSummary> traces) {
  v1::Leaderboard board;
  board.mutable_key()->set_definition(key.first);
  board.mutable_key()->set_hardware(key.second);
  board.mutable_key()->set_timer(KeepMainTimer(traces));
  const std::vector<std::string> workloads = WorkloadsOf(set, key, traces);
  for (const std::string& uuid : workloads) board.add_workload_uuids(uuid);
  for (v1::LeaderboardEntry& entry : Rank(workloads, traces)) {
    *board.add_entries() = std::move(entry);
  }
  CountHeldBack(board);
  return board;
}

}  // namespace

std::vector<v1::Leaderboard> FolderBoards(const TraceSet& set) {
  std::map<Key, std::vector<const TraceSetItem<v1::Trace>*>> by_board;
  for (const auto& item : set.traces) {
    const v1::Trace& trace = item.value;
    by_board[{trace.definition(), trace.evaluation().environment().hardware()}]
        .push_back(&item);
  }
  const Authors authors = AuthorsOf(set);
  std::vector<v1::Leaderboard> boards;
  for (auto& [key, items] : by_board) {
    boards.push_back(
        MakeBoard(set, key, SummarizeAll(std::move(items), authors)));
  }
  return boards;
}

}  // namespace assay
