#include "server/leaderboard/board.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "base/status_macros.h"
#include "ranking/rank.h"
#include "schema/hardware.h"

namespace assay {
namespace {

// The timer of most results; of equals the one with the smaller number. Results
// that did not pass have none.
v1::Timer MainTimer(const std::map<v1::Timer, int64_t>& counts) {
  v1::Timer main = v1::TIMER_UNSPECIFIED;
  int64_t most = 0;
  for (const auto& [timer, count] : counts) {
    if (timer == v1::TIMER_UNSPECIFIED || count <= most) continue;
    main = timer;
    most = count;
  }
  return main;
}

// The device that the board is about: that of the latest worker.
absl::StatusOr<v1::Device> BoardDevice(Session& session,
                                       const std::vector<TraceSummary>& traces,
                                       const std::string& hardware) {
  v1::Device device;
  if (!traces.empty()) {
    ASSAY_ASSIGN_OR_RETURN(const absl::optional<WorkerRow> worker,
                           session.workers().Find(traces.back().worker));
    if (worker.has_value()) device = worker->record.device();
  }
  device.set_model(hardware);
  if (device.kind().empty()) device.set_kind(HardwareKind(hardware));
  return device;
}

// In the order of their creation.
absl::StatusOr<std::vector<std::string>> BoardWorkloads(
    Session& session, const std::string& definition, const v1::Device& device,
    const std::vector<TraceSummary>& traces) {
  absl::flat_hash_set<std::string> evaluated;
  for (const TraceSummary& trace : traces) {
    evaluated.insert(trace.workload_uuid);
  }
  ASSAY_ASSIGN_OR_RETURN(const std::vector<v1::WorkloadRecord> records,
                         session.workloads().AllOf(definition));
  std::vector<std::string> uuids;
  for (const v1::WorkloadRecord& record : records) {
    const v1::Workload& workload = record.workload();
    if (evaluated.contains(workload.uuid()) ||
        AnyHardwareMatches(workload.target_hardware(), device)) {
      uuids.push_back(workload.uuid());
    }
  }
  return uuids;
}

}  // namespace

absl::StatusOr<v1::Leaderboard> MakeLeaderboard(
    Session& session, const v1::GetLeaderboardRequest& request) {
  const std::string& name = request.definition();
  // Before the rest, which would be empty without one.
  ASSAY_RETURN_IF_ERROR(session.definitions().Digest(name).status());
  std::string hardware = request.hardware();
  if (hardware.empty()) {
    ASSAY_ASSIGN_OR_RETURN(hardware, session.boards().MainHardware(name));
  }
  ASSAY_ASSIGN_OR_RETURN(BoardTraces traces,
                         session.boards().Traces(name, hardware));
  return ComposeLeaderboard(session, name, hardware, std::move(traces));
}

absl::StatusOr<v1::Leaderboard> ComposeLeaderboard(Session& session,
                                                   const std::string& name,
                                                   const std::string& hardware,
                                                   BoardTraces board_traces) {
  const v1::Timer timer = MainTimer(board_traces.counts);
  std::vector<TraceSummary> traces = std::move(board_traces.traces);
  traces.erase(std::remove_if(traces.begin(), traces.end(),
                              [&](const TraceSummary& trace) {
                                return trace.timer != timer &&
                                       trace.timer != v1::TIMER_UNSPECIFIED;
                              }),
               traces.end());
  ASSAY_ASSIGN_OR_RETURN(std::string digest,
                         session.definitions().Digest(name));
  ASSAY_ASSIGN_OR_RETURN(const v1::Device device,
                         BoardDevice(session, traces, hardware));
  ASSAY_ASSIGN_OR_RETURN(const std::vector<std::string> workloads,
                         BoardWorkloads(session, name, device, traces));

  v1::Leaderboard board;
  board.mutable_key()->set_definition(name);
  board.mutable_key()->set_hardware(hardware);
  board.mutable_key()->set_timer(timer);
  board.set_definition_digest(std::move(digest));
  for (const std::string& uuid : workloads) board.add_workload_uuids(uuid);
  for (v1::LeaderboardEntry& entry : Rank(workloads, traces)) {
    if (entry.workloads_rejected() > 0) {
      board.set_entries_rejected(board.entries_rejected() + 1);
    } else if (entry.workloads_pending() > 0) {
      board.set_entries_pending(board.entries_pending() + 1);
    }
    *board.add_entries() = std::move(entry);
  }
  return board;
}

}  // namespace assay
