// Submissions and their jobs: each function is one unit of work of the store.

#ifndef ASSAY_SERVER_EVALUATION_SUBMISSIONS_H_
#define ASSAY_SERVER_EVALUATION_SUBMISSIONS_H_

#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "assay/v1/evaluation_service.pb.h"
#include "server/scheduler/queue.h"
#include "server/store/session.h"

namespace assay {

// What can be said about the request without the store. INVALID_ARGUMENT names
// the field.
absl::Status CheckSubmission(const v1::CreateSubmissionRequest& request);

// Queues the jobs of a checked request. Creates the solution if it is given
// inline; errors as in CreateSolution, NOT_FOUND for a missing solution or
// workload, and INVALID_ARGUMENT for more than 100,000 cells. The same
// request_id returns the submission that it made before.
absl::StatusOr<v1::Submission> CreateSubmission(
    Session& session, const v1::CreateSubmissionRequest& request);

// Cancels the jobs that have not ended. NOT_FOUND names the submission.
absl::StatusOr<v1::Submission> CancelSubmission(Session& session,
                                                absl::string_view id);

// Writes `note` where the job waits although no live worker fits it.
absl::Status AnnotateWaiting(Session& session,
                             const std::vector<KnownWorker>& live,
                             v1::Job& job);

}  // namespace assay

#endif  // ASSAY_SERVER_EVALUATION_SUBMISSIONS_H_
