// What operators decided about traces. Decisions are added, never changed; of a
// trace the last one counts.

#ifndef ASSAY_SERVER_STORE_REVIEW_TABLE_H_
#define ASSAY_SERVER_STORE_REVIEW_TABLE_H_

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "assay/v1/evaluation_service.pb.h"
#include "server/store/change_log.h"
#include "server/store/sqlite.h"

namespace assay {

class ReviewTable {
 public:
  ReviewTable(Database& database, ChangeLog& changes)
      : database_(database), changes_(changes) {}

  // The trace exists; the decision is APPROVED or REJECTED.
  absl::Status Insert(absl::string_view trace_id, const v1::Review& review);

  // Sets the record's reviews, and what follows from them and its findings.
  absl::Status FillIn(v1::TraceRecord& record);

 private:
  Database& database_;
  ChangeLog& changes_;
};

}  // namespace assay

#endif  // ASSAY_SERVER_STORE_REVIEW_TABLE_H_
