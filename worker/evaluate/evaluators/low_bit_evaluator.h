// Compares outputs of kernels that compute with few bits: as many elements as
// the settings allow may be off, as long as they are numbers.

#ifndef ASSAY_WORKER_EVALUATE_EVALUATORS_LOW_BIT_EVALUATOR_H_
#define ASSAY_WORKER_EVALUATE_EVALUATORS_LOW_BIT_EVALUATOR_H_

#include <memory>

#include "worker/evaluate/evaluators/default_evaluator.h"

namespace assay {

class LowBitEvaluator final : public DefaultEvaluator {
 public:
  using DefaultEvaluator::DefaultEvaluator;

  std::unique_ptr<Evaluator> Fresh() const override {
    return std::make_unique<LowBitEvaluator>(sizes(), settings());
  }

 protected:
  // The ratio is for rounding, which makes no NaN and no infinity.
  bool IsWrong(const measure::CompareResult& result) const override {
    return result.nonfinite_mismatches > 0 || DefaultEvaluator::IsWrong(result);
  }
};

}  // namespace assay

#endif  // ASSAY_WORKER_EVALUATE_EVALUATORS_LOW_BIT_EVALUATOR_H_
