// Judges random tokens. What the reference computes is as random as they are,
// so nothing is compared with it; the call's own probabilities say what is
// right:
//
// - Every token of every call must be one that the filters keep.
// - Tokens of many calls on the same inputs, of each of a few rows that are
//   chosen in secret, must come as often as their probabilities say; and so
//   must the first token of each of those rows on every new draw, taken
//   together. Who gives the same tokens for the same inputs fails the former;
//   who samples only where inputs repeat fails the latter. See sampling_fit.h.
//
// An honest sampler fails an evaluation with a probability below 1e-7.

#ifndef ASSAY_WORKER_EVALUATE_EVALUATORS_SAMPLING_EVALUATOR_H_
#define ASSAY_WORKER_EVALUATE_EVALUATORS_SAMPLING_EVALUATOR_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "assay/v1/workload.pb.h"
#include "kernels/measure/element_type.h"
#include "schema/shape.h"
#include "worker/evaluate/evaluators/evaluator.h"
#include "worker/evaluate/evaluators/sampling_fit.h"
#include "worker/evaluate/evaluators/sampling_support.h"
#include "worker/evaluate/settings.h"

namespace assay {

class SamplingEvaluator final : public Evaluator {
 public:
  // Scalars of the workload may be filters. `seed` is secret. `sizes` outlives
  // the evaluator. INVALID_ARGUMENT unless there is one token for each row.
  static absl::StatusOr<std::unique_ptr<Evaluator>> New(
      const v1::Workload& workload, const ResolvedCase& sizes,
      const EvaluationSettings& settings, uint64_t seed);

  std::unique_ptr<Evaluator> Fresh() const override;
  absl::Status Add(Device& device, const CaseMemory& memory,
                   const JudgedCall& call) override;
  int repeated_calls() const override {
    return settings_.sampling_validation_trials;
  }
  void Conclude() override;

 private:
  // A row whose tokens are counted, on the draw at hand.
  struct Watched {
    int64_t row = 0;
    std::vector<double> probs;
    std::vector<double> bit_masses;
    SamplingFit fit{SamplingFit::kOne};
  };

  SamplingEvaluator(const v1::Workload& workload, const ResolvedCase& sizes,
                    const EvaluationSettings& settings, uint64_t seed);

  // Reads the draw's probabilities and filters where they are others than those
  // of the call before; true when they are.
  absl::StatusOr<bool> ReadDraw(Device& device, const CaseMemory& memory,
                                int draw);
  absl::Status ReadFilters(Device& device, const CaseMemory& memory, int draw);
  std::vector<double> RowOf(int64_t row) const;
  void WatchRows();
  void CheckSupport(const std::vector<int64_t>& tokens);
  void Count(const std::vector<int64_t>& tokens, bool is_new);
  void CountToken(const Watched& watched, int64_t token, SamplingFit& fit);
  void Judge(const SamplingFit& fit, const std::string& of);

  const v1::Workload& workload_;
  const ResolvedCase& sizes_;
  const EvaluationSettings settings_;
  std::mt19937_64 random_;
  size_t probs_input_ = 0;
  int64_t rows_ = 1;
  int64_t vocabulary_ = 0;
  // Of the draw at hand.
  uint64_t checksum_ = 0;
  std::string probs_;
  std::vector<SamplingFilter> filters_;
  std::vector<SamplingSupport> supports_;
  std::vector<Watched> watched_;
  // Of the first call on each draw.
  SamplingFit first_{SamplingFit::kMany};
  // How often something was judged.
  int judged_ = 0;
  int64_t tokens_ = 0;
};

}  // namespace assay

#endif  // ASSAY_WORKER_EVALUATE_EVALUATORS_SAMPLING_EVALUATOR_H_
