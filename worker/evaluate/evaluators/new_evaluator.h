// Makes the evaluator that settings name.

#ifndef ASSAY_WORKER_EVALUATE_EVALUATORS_NEW_EVALUATOR_H_
#define ASSAY_WORKER_EVALUATE_EVALUATORS_NEW_EVALUATOR_H_

#include <memory>

#include "absl/status/statusor.h"
#include "assay/v1/definition.pb.h"
#include "assay/v1/workload.pb.h"
#include "schema/shape.h"
#include "worker/evaluate/evaluators/evaluator.h"
#include "worker/evaluate/settings.h"

namespace assay {

// `workload` and `sizes`, of it, outlive the evaluator. INVALID_ARGUMENT when
// it cannot judge the definition or the workload, with the reason.
absl::StatusOr<std::unique_ptr<Evaluator>> NewEvaluator(
    const v1::Definition& definition, const v1::Workload& workload,
    const ResolvedCase& sizes, const EvaluationSettings& settings);

}  // namespace assay

#endif  // ASSAY_WORKER_EVALUATE_EVALUATORS_NEW_EVALUATOR_H_
