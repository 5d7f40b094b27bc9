// Compares what a solution computed with what was expected, call by call, and
// remembers the worst.

#ifndef ASSAY_WORKER_EVALUATE_OUTPUT_CHECK_H_
#define ASSAY_WORKER_EVALUATE_OUTPUT_CHECK_H_

#include <string>

#include "absl/status/status.h"
#include "assay/v1/evaluation.pb.h"
#include "schema/shape.h"
#include "worker/device/device.h"
#include "worker/evaluate/case_memory.h"
#include "worker/evaluate/settings.h"

namespace assay {

class OutputCheck {
 public:
  // `sizes` outlives the check.
  OutputCheck(const ResolvedCase& sizes, const EvaluationSettings& settings)
      : sizes_(sizes), settings_(settings) {}

  // Compares all outputs in the slot with what is expected of the draw.
  absl::Status Add(Device& device, const CaseMemory& memory, int slot,
                   int draw = 0);

  // False once an output of a call had too many wrong values.
  bool passed() const { return failure_.empty(); }

  // For people: the first output that was wrong, where and by how much. Empty
  // while all passed.
  const std::string& failure() const { return failure_; }

  // Worst errors over all calls so far.
  const v1::Correctness& correctness() const { return correctness_; }

 private:
  void Note(const ResolvedTensor& output, const measure::CompareResult& result);
  void Describe(const ResolvedTensor& output,
                const measure::CompareResult& result);

  const ResolvedCase& sizes_;
  const EvaluationSettings settings_;
  std::string failure_;
  v1::Correctness correctness_;
};

}  // namespace assay

#endif  // ASSAY_WORKER_EVALUATE_OUTPUT_CHECK_H_
