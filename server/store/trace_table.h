// Stored traces. They are never changed; records that are read also tell what
// the table of reviews says about them.

#ifndef ASSAY_SERVER_STORE_TRACE_TABLE_H_
#define ASSAY_SERVER_STORE_TRACE_TABLE_H_

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "assay/v1/evaluation_service.pb.h"
#include "server/store/change_log.h"
#include "server/store/paging.h"
#include "server/store/sqlite.h"

namespace assay {

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

 private:
  Database& database_;
  ChangeLog& changes_;
};

}  // namespace assay

#endif  // ASSAY_SERVER_STORE_TRACE_TABLE_H_
