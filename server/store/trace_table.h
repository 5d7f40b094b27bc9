// Stored traces. They never change, but for logs that retention takes out;
// records that are read also tell what the table of reviews says about them.

#ifndef ASSAY_SERVER_STORE_TRACE_TABLE_H_
#define ASSAY_SERVER_STORE_TRACE_TABLE_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "assay/v1/evaluation_service.pb.h"
#include "server/store/change_log.h"
#include "server/store/paging.h"
#include "server/store/sqlite.h"

namespace assay {

// A trace and its place.
struct TraceRow {
  int64_t seq = 0;
  v1::TraceRecord record;
};

class TraceTable {
 public:
  TraceTable(Database& database, ChangeLog& changes)
      : database_(database), changes_(changes) {}

  // False when there is a trace with that id already, which stays.
  absl::StatusOr<bool> Insert(const v1::TraceRecord& record);
  // NOT_FOUND names the trace.
  absl::StatusOr<v1::TraceRecord> Get(absl::string_view id);
  // Oldest first. Probes only where solution or submission is named.
  absl::StatusOr<v1::ListTracesResponse> List(
      const v1::ListTracesRequest& request, Paging paging);

  // The next ones after `seq`, oldest first.
  absl::StatusOr<std::vector<TraceRow>> After(int64_t seq, int limit);
  // Writes the content of a row anew. For what retention takes out: nothing
  // that is searched by may differ.
  absl::Status Replace(const TraceRow& row);

 private:
  Database& database_;
  ChangeLog& changes_;
};

}  // namespace assay

#endif  // ASSAY_SERVER_STORE_TRACE_TABLE_H_
