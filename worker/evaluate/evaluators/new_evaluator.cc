#include "worker/evaluate/evaluators/new_evaluator.h"

#include <array>
#include <cstdint>
#include <string>

#include "base/random_id.h"
#include "base/status_macros.h"
#include "schema/evaluators.h"
#include "worker/evaluate/evaluators/default_evaluator.h"
#include "worker/evaluate/evaluators/low_bit_evaluator.h"
#include "worker/evaluate/evaluators/sampling_evaluator.h"
#include "worker/evaluate/evaluators/sparse_attention_evaluator.h"
#include "worker/evaluate/evaluators/topk_index_evaluator.h"

namespace assay {

absl::StatusOr<std::unique_ptr<Evaluator>> NewEvaluator(
    const v1::Definition& definition, const v1::Workload& workload,
    const ResolvedCase& sizes, const EvaluationSettings& settings) {
  const std::string& name = settings.evaluator;
  ASSAY_RETURN_IF_ERROR(CheckEvaluator(name, definition));
  if (name == kLowBitEvaluator) {
    return std::make_unique<LowBitEvaluator>(sizes, settings);
  }
  if (name == kSparseAttentionEvaluator) {
    return std::make_unique<SparseAttentionEvaluator>(sizes, settings);
  }
  if (name == kSamplingEvaluator) {
    const std::array<uint32_t, 4> bits = RandomBits128();
    return SamplingEvaluator::New(workload, sizes, settings,
                                  uint64_t{bits[0]} << 32 | bits[1]);
  }
  if (name == kTopKIndexEvaluator) {
    return TopKIndexEvaluator::New(sizes, settings);
  }
  return std::make_unique<DefaultEvaluator>(sizes, settings);
}

}  // namespace assay
