// Whether findings and reviews let a trace count.

#ifndef ASSAY_SERVER_STORE_REVIEW_STATE_H_
#define ASSAY_SERVER_STORE_REVIEW_STATE_H_

#include "assay/v1/evaluation.pb.h"

// Review.State of a row of `traces`, as an expression of SQL: the latest
// decision, else PENDING (1) for what is held, else none (0).
#define ASSAY_REVIEW_STATE_SQL                            \
  "COALESCE((SELECT decision FROM reviews"                \
  " WHERE reviews.trace_id = traces.id ORDER BY seq DESC" \
  " LIMIT 1), traces.held)"

namespace assay {

// Whether the evaluation's own findings keep it, and with it the solution's
// revision, from boards: those that hold, and those that failed it. A cheat
// that was seen once may stay within the noise at the next try.
bool IsHeld(const v1::Evaluation& evaluation);

}  // namespace assay

#endif  // ASSAY_SERVER_STORE_REVIEW_STATE_H_
