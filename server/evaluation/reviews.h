// Decisions of operators about traces that findings hold back.

#ifndef ASSAY_SERVER_EVALUATION_REVIEWS_H_
#define ASSAY_SERVER_EVALUATION_REVIEWS_H_

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "assay/v1/evaluation_service.pb.h"
#include "server/store/session.h"

namespace assay {

// What can be said about the request without the store. INVALID_ARGUMENT names
// the field.
absl::Status CheckReview(const v1::ReviewTraceRequest& request);

// Records the decision of a checked request, unless it is the latest one
// already. NOT_FOUND names the trace; FAILED_PRECONDITION for one that was
// imported, and for the approval of one that nothing holds back.
absl::StatusOr<v1::TraceRecord> ReviewTrace(
    Session& session, const v1::ReviewTraceRequest& request);

}  // namespace assay

#endif  // ASSAY_SERVER_EVALUATION_REVIEWS_H_
