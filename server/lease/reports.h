// What a worker says about its lease: each report is one unit of work of the
// store.

#ifndef ASSAY_SERVER_LEASE_REPORTS_H_
#define ASSAY_SERVER_LEASE_REPORTS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "assay/v1/worker_service.pb.h"
#include "server/store/session.h"

namespace assay {

// What to tell the worker after a report was stored.
struct ReportOutcome {
  // Latest report of the lease that is stored.
  int64_t acknowledged = 0;
  // Jobs of the lease to drop: cancelled before the accept, or given to another
  // lease while this one was silent.
  std::vector<std::string> cancelled_jobs;
  // The lease is over.
  bool finished = false;
  // The worker is drained.
  bool drain = false;
};

// Stores a report other than a heartbeat. Repeating one is harmless. ABORTED
// when the lease is lost, or its worker has a newer session; INVALID_ARGUMENT
// when a report is missing in between, or says what cannot be.
absl::StatusOr<ReportOutcome> ApplyReport(Session& session,
                                          const v1::LeaseReport& report);

}  // namespace assay

#endif  // ASSAY_SERVER_LEASE_REPORTS_H_
