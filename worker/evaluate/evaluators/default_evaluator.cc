#include "worker/evaluate/evaluators/default_evaluator.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "base/status_macros.h"
#include "kernels/measure/element_type.h"

namespace assay {
namespace {

// "[3, 17]": where in the tensor the value with this number stands.
std::string Position(const ResolvedTensor& tensor, uint64_t value_index) {
  // A float4 element is two values: the position is that of their byte.
  uint64_t index = tensor.dtype == v1::DTYPE_FLOAT4_E2M1FN_X2 ? value_index / 2
                                                              : value_index;
  std::vector<uint64_t> position(tensor.dims.size());
  for (size_t i = tensor.dims.size(); i-- > 0;) {
    const auto size = static_cast<uint64_t>(tensor.dims[i]);
    position[i] = index % size;
    index /= size;
  }
  return absl::StrCat("[", absl::StrJoin(position, ", "), "]");
}

}  // namespace

absl::Status DefaultEvaluator::Add(Device& device, const CaseMemory& memory,
                                   const JudgedCall& call) {
  for (size_t i = 0; i < sizes_.outputs.size(); ++i) {
    const int output = static_cast<int>(i);
    ASSAY_ASSIGN_OR_RETURN(const bool skips, Skips(device, call, output));
    if (skips) continue;
    ASSAY_ASSIGN_OR_RETURN(
        const std::vector<measure::CompareResult> results,
        device.Compare(sizes_.outputs[i].dtype,
                       {{memory.Output(call.slot, output),
                         memory.Expected(output, call.draw)}},
                       settings_.tolerance));
    for (const measure::CompareResult& result : results) {
      Note(sizes_.outputs[i], result);
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<bool> DefaultEvaluator::Skips(Device& /*device*/,
                                             const JudgedCall& /*call*/,
                                             int /*output*/) const {
  return false;
}

bool DefaultEvaluator::IsWrong(const measure::CompareResult& result) const {
  return result.MatchedRatio() < settings_.required_matched_ratio;
}

void DefaultEvaluator::Note(const ResolvedTensor& output,
                            const measure::CompareResult& result) {
  v1::Correctness& worst = mutable_correctness();
  worst.set_max_absolute_error(
      std::max(worst.max_absolute_error(), result.max_abs_error));
  worst.set_max_relative_error(
      std::max(worst.max_relative_error(), result.max_rel_error));
  worst.set_matched_ratio(
      std::min(worst.has_matched_ratio() ? worst.matched_ratio() : 1.0,
               result.MatchedRatio()));
  if (passed() && IsWrong(result)) Describe(output, result);
}

void DefaultEvaluator::Describe(const ResolvedTensor& output,
                                const measure::CompareResult& result) {
  std::string failure = absl::StrFormat(
      "output \"%s\": %d of %d values are wrong (atol %g, rtol %g); the worst "
      "is at %s: got %g, expected %g",
      output.name, result.wrong, result.count, settings_.tolerance.atol,
      settings_.tolerance.rtol, Position(output, result.worst_index),
      result.worst_got, result.worst_want);
  if (result.nonfinite_mismatches > 0) {
    absl::StrAppend(&failure, "; ", result.nonfinite_mismatches,
                    " are NaN or infinite where the reference is not, or the "
                    "other way round");
  }
  Fail(std::move(failure));
}

}  // namespace assay
