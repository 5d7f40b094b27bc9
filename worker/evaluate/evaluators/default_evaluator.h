// Compares outputs with the reference's, element by element.

#ifndef ASSAY_WORKER_EVALUATE_EVALUATORS_DEFAULT_EVALUATOR_H_
#define ASSAY_WORKER_EVALUATE_EVALUATORS_DEFAULT_EVALUATOR_H_

#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "kernels/measure/compare.h"
#include "schema/shape.h"
#include "worker/device/device.h"
#include "worker/evaluate/case_memory.h"
#include "worker/evaluate/evaluators/evaluator.h"
#include "worker/evaluate/settings.h"

namespace assay {

// An output of a call is wrong when it has more wrong elements than the
// settings' required_matched_ratio allows. Others derive from it what differs.
class DefaultEvaluator : public Evaluator {
 public:
  // `sizes` outlives the evaluator.
  DefaultEvaluator(const ResolvedCase& sizes,
                   const EvaluationSettings& settings)
      : sizes_(sizes), settings_(settings) {}

  std::unique_ptr<Evaluator> Fresh() const override {
    return std::make_unique<DefaultEvaluator>(sizes_, settings_);
  }
  absl::Status Add(Device& device, const CaseMemory& memory,
                   const JudgedCall& call) override;

 protected:
  // Whether the output with this number need not be looked at.
  virtual absl::StatusOr<bool> Skips(Device& device, const JudgedCall& call,
                                     int output) const;
  virtual bool IsWrong(const measure::CompareResult& result) const;

  const ResolvedCase& sizes() const { return sizes_; }
  const EvaluationSettings& settings() const { return settings_; }

 private:
  void Note(const ResolvedTensor& output, const measure::CompareResult& result);
  void Describe(const ResolvedTensor& output,
                const measure::CompareResult& result);

  const ResolvedCase& sizes_;
  const EvaluationSettings settings_;
};

}  // namespace assay

#endif  // ASSAY_WORKER_EVALUATE_EVALUATORS_DEFAULT_EVALUATOR_H_
