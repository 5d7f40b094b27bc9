#include "server/store/submission_table.h"

#include <limits>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"

namespace assay {
namespace {

constexpr char kInsertSubmissionSql[] =
    "INSERT INTO submissions (id, request_id, definition, solution,"
    " solution_digest, author, priority, language, binding, content)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
constexpr char kSelectSubmissionSql[] =
    "SELECT content FROM submissions WHERE id = ?";
constexpr char kSelectSolutionDigestSql[] =
    "SELECT solution_digest FROM submissions WHERE id = ?";
constexpr char kSelectByRequestSql[] =
    "SELECT content FROM submissions WHERE request_id = ?";
// Conditions for the filters that are set follow, then the order.
constexpr char kListSubmissionsSql[] =
    "SELECT content, seq FROM submissions WHERE seq < ?";
constexpr char kSetActiveSql[] =
    "UPDATE submissions SET active = ? WHERE id = ? AND active <> ?";
constexpr char kCountJobsSql[] =
    "SELECT state, COUNT(*) FROM jobs WHERE submission_id = ? GROUP BY state";

absl::Status NotFound(absl::string_view id) {
  return absl::NotFoundError(
      absl::StrCat("there is no submission \"", id.substr(0, 200),
                   "\": list the submissions for the right id"));
}

}  // namespace

absl::Status SubmissionTable::Insert(const v1::Submission& submission,
                                     absl::string_view request_id,
                                     const Requirements& requirements) {
  Statement statement = database_.Prepare(kInsertSubmissionSql);
  statement.Bind(submission.id())
      .Bind(request_id)
      .Bind(submission.definition())
      .Bind(submission.solution())
      .Bind(submission.solution_digest())
      .Bind(submission.author())
      .Bind(submission.priority())
      .Bind(static_cast<int>(requirements.language))
      .Bind(static_cast<int>(requirements.binding))
      .Bind(submission);
  return statement.Run();
}

absl::Status SubmissionTable::SetActive(absl::string_view id, bool active) {
  return database_.Prepare(kSetActiveSql)
      .Bind(active)
      .Bind(id)
      .Bind(active)
      .Run();
}

absl::StatusOr<v1::Submission> SubmissionTable::Get(absl::string_view id) {
  Statement statement = database_.Prepare(kSelectSubmissionSql);
  statement.Bind(id);
  ASSAY_ASSIGN_OR_RETURN(const bool found, statement.Step());
  if (!found) return NotFound(id);
  v1::Submission submission;
  ASSAY_RETURN_IF_ERROR(statement.Message(0, submission));
  ASSAY_RETURN_IF_ERROR(AddCounts(submission));
  return submission;
}

absl::StatusOr<std::string> SubmissionTable::SolutionDigest(
    absl::string_view id) {
  Statement statement = database_.Prepare(kSelectSolutionDigestSql);
  statement.Bind(id);
  ASSAY_ASSIGN_OR_RETURN(const bool found, statement.Step());
  if (!found) return NotFound(id);
  return statement.String(0);
}

absl::StatusOr<absl::optional<v1::Submission>> SubmissionTable::FindByRequest(
    absl::string_view request_id) {
  Statement statement = database_.Prepare(kSelectByRequestSql);
  statement.Bind(request_id);
  ASSAY_ASSIGN_OR_RETURN(const bool found, statement.Step());
  if (request_id.empty() || !found) return absl::optional<v1::Submission>();
  v1::Submission submission;
  ASSAY_RETURN_IF_ERROR(statement.Message(0, submission));
  ASSAY_RETURN_IF_ERROR(AddCounts(submission));
  return absl::make_optional(std::move(submission));
}

absl::StatusOr<v1::ListSubmissionsResponse> SubmissionTable::List(
    absl::string_view solution, bool active_only, Paging paging) {
  v1::ListSubmissionsResponse response;
  Statement statement = database_.Prepare(absl::StrCat(
      kListSubmissionsSql, solution.empty() ? "" : " AND solution = ?",
      active_only ? " AND active = 1" : "", " ORDER BY seq DESC"));
  statement.Bind(paging.first() ? std::numeric_limits<int64_t>::max()
                                : paging.after_number());
  if (!solution.empty()) statement.Bind(solution);
  int64_t last = 0;
  while (true) {
    ASSAY_ASSIGN_OR_RETURN(const bool row, statement.Step());
    if (!row) return response;
    v1::Submission submission;
    ASSAY_RETURN_IF_ERROR(statement.Message(0, submission));
    if (!paging.Take(submission.ByteSizeLong())) break;
    ASSAY_RETURN_IF_ERROR(AddCounts(submission));
    last = statement.Int(1);
    *response.add_submissions() = std::move(submission);
  }
  response.set_next_page_token(paging.Token(absl::StrCat(last)));
  return response;
}

absl::Status SubmissionTable::AddCounts(v1::Submission& submission) {
  Statement statement = database_.Prepare(kCountJobsSql);
  statement.Bind(submission.id());
  while (true) {
    ASSAY_ASSIGN_OR_RETURN(const bool row, statement.Step());
    if (!row) return absl::OkStatus();
    const int count = static_cast<int>(statement.Int(1));
    switch (statement.Int(0)) {
      case v1::QUEUED:
        submission.set_queued(count);
        break;
      case v1::RUNNING:
        submission.set_running(count);
        break;
      case v1::COMPLETED:
        submission.set_completed(count);
        break;
      case v1::FAILED:
        submission.set_failed(count);
        break;
      case v1::CANCELLED:
        submission.set_cancelled(count);
        break;
      default:
        return absl::DataLossError("store: a job has an unknown state");
    }
  }
}

}  // namespace assay
