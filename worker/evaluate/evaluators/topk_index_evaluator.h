// Judges the indices of the tokens that score highest, for sparse attention
// over pages of an fp8 cache. They may come in any order, and of tokens that
// score alike any will do: not indices are compared but the scores of those
// chosen, sorted, with the scores of those that the reference chose. An index
// must be of the sequence, and none may come twice. What is short of top-k
// tokens is filled up with -1.
//
// A token's score is sum over heads h of weights[h] * max(0, q[h] . k). The
// cache has pages of `page_size` tokens, [num_pages, page_size, 1, head_dim +
// 4] int8: first all keys of the page in float8_e4m3fn, then a float32 scale
// for each. An index is the number of the page times page_size, and the token's
// in the page.

#ifndef ASSAY_WORKER_EVALUATE_EVALUATORS_TOPK_INDEX_EVALUATOR_H_
#define ASSAY_WORKER_EVALUATE_EVALUATORS_TOPK_INDEX_EVALUATOR_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "schema/shape.h"
#include "worker/evaluate/evaluators/evaluator.h"
#include "worker/evaluate/settings.h"

namespace assay {

class TopKIndexEvaluator final : public Evaluator {
 public:
  // `sizes` outlives the evaluator. INVALID_ARGUMENT when shapes do not fit.
  static absl::StatusOr<std::unique_ptr<Evaluator>> New(
      const ResolvedCase& sizes, const EvaluationSettings& settings);

  std::unique_ptr<Evaluator> Fresh() const override;
  absl::Status Add(Device& device, const CaseMemory& memory,
                   const JudgedCall& call) override;

 private:
  // Of inputs, by number in call order.
  struct Inputs {
    int q = -1;
    int cache = -1;
    int weights = -1;
    int lengths = -1;
    int pages = -1;
  };
  // What indices are judged by, of the draw at hand.
  struct Draw {
    std::string q;
    std::string cache;
    std::string weights;
    std::vector<int64_t> lengths;
    std::vector<int64_t> pages;
  };

  TopKIndexEvaluator(const ResolvedCase& sizes,
                     const EvaluationSettings& settings);

  absl::Status CheckShapes() const;
  absl::Status ReadDraw(Device& device, const CaseMemory& memory, int draw);
  absl::StatusOr<std::vector<int64_t>> Integers(Device& device,
                                                const Region& region,
                                                v1::DType dtype) const;
  // Fails when one is of no token of the sequence, or comes twice.
  bool AreSound(int64_t row, const std::vector<int64_t>& indices);
  std::vector<double> SortedScores(int64_t row,
                                   const std::vector<int64_t>& indices) const;
  double Score(int64_t row, int64_t index) const;
  void Compare(int64_t row, const std::vector<double>& got,
               const std::vector<double>& want);

  const ResolvedCase& sizes_;
  const EvaluationSettings settings_;
  Inputs inputs_;
  int64_t rows_ = 0;
  int64_t heads_ = 0;
  int64_t head_dim_ = 0;
  int64_t page_size_ = 0;
  int64_t num_pages_ = 0;
  int64_t pages_per_row_ = 0;
  int64_t top_k_ = 0;
  uint64_t checksum_ = 0;
  bool has_draw_ = false;
  Draw draw_;
};

}  // namespace assay

#endif  // ASSAY_WORKER_EVALUATE_EVALUATORS_TOPK_INDEX_EVALUATOR_H_
