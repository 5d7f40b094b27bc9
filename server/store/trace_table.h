// Stored traces. They are never changed; records that are read also tell what
// the table of reviews says about them.

#ifndef ASSAY_SERVER_STORE_TRACE_TABLE_H_
#define ASSAY_SERVER_STORE_TRACE_TABLE_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "assay/v1/evaluation_service.pb.h"
#include "assay/v1/leaderboard_service.pb.h"
#include "server/store/paging.h"
#include "server/store/sqlite.h"

namespace assay {

// What a leaderboard needs of one trace.
struct TraceSummary {
  std::string id;
  std::string solution;
  std::string solution_digest;
  std::string author;
  std::string workload_uuid;
  std::string worker;
  v1::EvaluationStatus status = v1::EVALUATION_STATUS_UNSPECIFIED;
  v1::Timer timer = v1::TIMER_UNSPECIFIED;
  double latency_ms = 0;
  double speedup_factor = 0;
  bool unstable = false;
  v1::Review::State review_state = v1::Review::STATE_UNSPECIFIED;
};

class TraceTable {
 public:
  explicit TraceTable(Database& database) : database_(database) {}

  // False when there is a trace with that id already, which stays.
  absl::StatusOr<bool> Insert(const v1::TraceRecord& record);
  // NOT_FOUND names the trace.
  absl::StatusOr<v1::TraceRecord> Get(absl::string_view id);
  // Oldest first. Probes only where solution or submission is named.
  absl::StatusOr<v1::ListTracesResponse> List(
      const v1::ListTracesRequest& request, Paging paging);

  // Measured traces of the latest revisions of all solutions but probes, oldest
  // first.
  absl::StatusOr<std::vector<TraceSummary>> OfBoard(
      absl::string_view definition, absl::string_view hardware);
  // The hardware with the most measured traces, those of probes aside; empty
  // when there are none.
  absl::StatusOr<std::string> MainHardware(absl::string_view definition);
  // Ordered by definition, hardware and timer. A hardware on which nothing has
  // passed has one board without a timer. Probes make no board.
  absl::StatusOr<v1::ListLeaderboardsResponse> ListBoards(Paging paging);

 private:
  Database& database_;
};

}  // namespace assay

#endif  // ASSAY_SERVER_STORE_TRACE_TABLE_H_
