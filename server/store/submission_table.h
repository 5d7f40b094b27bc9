// Stored submissions. The counts of jobs are made when one is read.

#ifndef ASSAY_SERVER_STORE_SUBMISSION_TABLE_H_
#define ASSAY_SERVER_STORE_SUBMISSION_TABLE_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "assay/v1/evaluation_service.pb.h"
#include "server/scheduler/queue.h"
#include "server/store/paging.h"
#include "server/store/sqlite.h"

namespace assay {

class SubmissionTable {
 public:
  explicit SubmissionTable(Database& database) : database_(database) {}

  // Of `requirements` language and binding; hardware is each job's own.
  absl::Status Insert(const v1::Submission& submission,
                      absl::string_view request_id,
                      const Requirements& requirements);
  // Notes whether it has jobs that have not ended.
  absl::Status SetActive(absl::string_view id, bool active);
  // NOT_FOUND names the submission.
  absl::StatusOr<v1::Submission> Get(absl::string_view id);
  // Submission.solution_digest, without reading more. NOT_FOUND as Get.
  absl::StatusOr<std::string> SolutionDigest(absl::string_view id);
  // The one that the request made, if it did.
  absl::StatusOr<absl::optional<v1::Submission>> FindByRequest(
      absl::string_view request_id);
  // Newest first. `solution` empty: all.
  absl::StatusOr<v1::ListSubmissionsResponse> List(absl::string_view solution,
                                                   bool active_only,
                                                   Paging paging);

 private:
  absl::Status AddCounts(v1::Submission& submission);

  Database& database_;
};

}  // namespace assay

#endif  // ASSAY_SERVER_STORE_SUBMISSION_TABLE_H_
