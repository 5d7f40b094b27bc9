#include "server/store/review_table.h"

#include "base/status_macros.h"
#include "server/store/board_table.h"
#include "server/store/review_state.h"

namespace assay {
namespace {

constexpr char kInsertReviewSql[] =
    "INSERT INTO reviews (trace_id, decision, content) VALUES (?, ?, ?)";
constexpr char kSelectReviewsSql[] =
    "SELECT content FROM reviews WHERE trace_id = ? ORDER BY seq";

}  // namespace

absl::Status ReviewTable::Insert(absl::string_view trace_id,
                                 const v1::Review& review) {
  ASSAY_RETURN_IF_ERROR(database_.Prepare(kInsertReviewSql)
                            .Bind(trace_id)
                            .Bind(static_cast<int>(review.decision()))
                            .Bind(review)
                            .Run());
  return BoardTable(database_, changes_).NoteReview(trace_id);
}

absl::Status ReviewTable::FillIn(v1::TraceRecord& record) {
  record.clear_reviews();
  record.set_review_state(IsHeld(record.trace().evaluation())
                              ? v1::Review::PENDING
                              : v1::Review::STATE_UNSPECIFIED);
  Statement row = database_.Prepare(kSelectReviewsSql);
  row.Bind(record.id());
  while (true) {
    ASSAY_ASSIGN_OR_RETURN(const bool found, row.Step());
    if (!found) return absl::OkStatus();
    ASSAY_RETURN_IF_ERROR(row.Message(0, *record.add_reviews()));
    record.set_review_state(record.reviews().rbegin()->decision());
  }
}

}  // namespace assay
