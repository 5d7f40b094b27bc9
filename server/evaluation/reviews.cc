#include "server/evaluation/reviews.h"

#include <string>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "schema/names.h"

namespace assay {
namespace {

constexpr size_t kMaxReasonBytes = 2000;

bool IsRepeat(const v1::TraceRecord& record,
              const v1::ReviewTraceRequest& request) {
  if (record.reviews().empty()) return false;
  const v1::Review& latest = *record.reviews().rbegin();
  return latest.decision() == request.decision() &&
         latest.reviewer() == request.reviewer() &&
         latest.reason() == request.reason();
}

absl::Status CheckReviewable(const v1::TraceRecord& record,
                             const v1::ReviewTraceRequest& request) {
  if (record.imported()) {
    return absl::FailedPreconditionError(absl::StrCat(
        "trace \"", record.id(),
        "\" was imported: it ranks nowhere, there is nothing to decide"));
  }
  if (request.decision() == v1::Review::APPROVED &&
      record.review_state() == v1::Review::STATE_UNSPECIFIED) {
    return absl::FailedPreconditionError(absl::StrCat(
        "nothing holds trace \"", record.id(),
        "\" back: only one that is held or was rejected can be approved"));
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status CheckReview(const v1::ReviewTraceRequest& request) {
  if (request.decision() != v1::Review::APPROVED &&
      request.decision() != v1::Review::REJECTED) {
    return absl::InvalidArgumentError(
        absl::StrCat("decision \"", static_cast<int>(request.decision()),
                     "\" is none: use APPROVED or REJECTED"));
  }
  if (const std::string fault = LineFault(request.reviewer()); !fault.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat("reviewer \"", request.reviewer(), "\" ", fault));
  }
  if (absl::StripAsciiWhitespace(request.reason()).empty()) {
    return absl::InvalidArgumentError(
        "reason is empty: say why, others will ask");
  }
  if (request.reason().size() > kMaxReasonBytes) {
    return absl::InvalidArgumentError(
        absl::StrCat("reason has ", request.reason().size(),
                     " characters: at most ", kMaxReasonBytes, " are allowed"));
  }
  return absl::OkStatus();
}

absl::StatusOr<v1::TraceRecord> ReviewTrace(
    Session& session, const v1::ReviewTraceRequest& request) {
  ASSAY_ASSIGN_OR_RETURN(v1::TraceRecord record,
                         session.traces().Get(request.id()));
  if (IsRepeat(record, request)) return record;
  ASSAY_RETURN_IF_ERROR(CheckReviewable(record, request));
  v1::Review review;
  review.set_decision(request.decision());
  review.set_reviewer(request.reviewer());
  review.set_reason(request.reason());
  review.set_time_us(session.now_us());
  ASSAY_RETURN_IF_ERROR(session.reviews().Insert(record.id(), review));
  ASSAY_RETURN_IF_ERROR(session.reviews().FillIn(record));
  return record;
}

}  // namespace assay
