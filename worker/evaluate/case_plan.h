// How much memory an evaluation takes, decided before any is allocated.

#ifndef ASSAY_WORKER_EVALUATE_CASE_PLAN_H_
#define ASSAY_WORKER_EVALUATE_CASE_PLAN_H_

#include <cstdint>
#include <optional>

#include "absl/status/statusor.h"
#include "assay/v1/workload.pb.h"
#include "schema/shape.h"

namespace assay {

struct CasePlan {
  // Where the solution finds the random inputs of a call: one of these.
  int places = 1;
  // Where it leaves the outputs of a call: one of these.
  int slots = 1;
  // Of all arenas together.
  int64_t bytes = 0;
  // How many draws are staged at a time, each with what is expected of it.
  int draws = 1;
};

// As many places and slots as are cheap, 1 to 4 of each; fewer where memory is
// short. RESOURCE_EXHAUSTED, with the bytes needed, when even one place and one
// slot are more than `budget_bytes`.
absl::StatusOr<CasePlan> PlanCase(const ResolvedCase& sizes,
                                  const v1::Workload& workload,
                                  int64_t budget_bytes);

// For requests of `calls` calls, each with a draw, a place and a slot of its
// own; of fewer where that takes more than `budget_bytes`. None when not even
// two fit, or draws do not differ.
std::optional<CasePlan> PlanBatch(const ResolvedCase& sizes,
                                  const v1::Workload& workload, int calls,
                                  int64_t budget_bytes);

}  // namespace assay

#endif  // ASSAY_WORKER_EVALUATE_CASE_PLAN_H_
