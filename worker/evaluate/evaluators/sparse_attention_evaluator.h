// Compares the outputs of sparse attention: the second one, the logarithms of
// the sums that the first was divided by, is optional. Who leaves its memory as
// it was has not given it.

#ifndef ASSAY_WORKER_EVALUATE_EVALUATORS_SPARSE_ATTENTION_EVALUATOR_H_
#define ASSAY_WORKER_EVALUATE_EVALUATORS_SPARSE_ATTENTION_EVALUATOR_H_

#include <memory>

#include "worker/evaluate/evaluators/default_evaluator.h"

namespace assay {

class SparseAttentionEvaluator final : public DefaultEvaluator {
 public:
  using DefaultEvaluator::DefaultEvaluator;

  std::unique_ptr<Evaluator> Fresh() const override {
    return std::make_unique<SparseAttentionEvaluator>(sizes(), settings());
  }

 protected:
  absl::StatusOr<bool> Skips(Device& device, const JudgedCall& call,
                             int output) const override {
    if (output == 0 || call.before.empty()) return false;
    return device.ArePoisoned({call.before[static_cast<size_t>(output)]},
                              call.pattern_key);
  }
};

}  // namespace assay

#endif  // ASSAY_WORKER_EVALUATE_EVALUATORS_SPARSE_ATTENTION_EVALUATOR_H_
