// Which workers get jobs: an operator drains and quarantines them, and the
// coordinator quarantines those that do not do as they are told. Each function
// is one unit of work of the store; NOT_FOUND names a worker that is unknown.

#ifndef ASSAY_SERVER_LEASE_ADMISSIONS_H_
#define ASSAY_SERVER_LEASE_ADMISSIONS_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "assay/v1/worker_service.pb.h"
#include "server/store/session.h"

namespace assay {

// INVALID_ARGUMENT for a reason that is too long.
absl::Status CheckReason(absl::string_view reason);

// Each returns the worker as it is then, without what Presence knows.
// FAILED_PRECONDITION names a state from which the verb does not lead.
absl::StatusOr<v1::WorkerRecord> DrainWorker(Session& session,
                                             absl::string_view worker_id,
                                             absl::string_view reason);
absl::StatusOr<v1::WorkerRecord> UndrainWorker(Session& session,
                                               absl::string_view worker_id);
absl::StatusOr<v1::WorkerRecord> QuarantineWorker(Session& session,
                                                  absl::string_view worker_id,
                                                  absl::string_view reason);
absl::StatusOr<v1::WorkerRecord> ReleaseWorker(Session& session,
                                               absl::string_view worker_id);

// Quarantines the worker that has the lease, for `job_id` of it was cancelled
// and not stopped. False when the lease is over already.
absl::StatusOr<bool> QuarantineHolder(Session& session,
                                      absl::string_view lease_id,
                                      absl::string_view job_id);

}  // namespace assay

#endif  // ASSAY_SERVER_LEASE_ADMISSIONS_H_
