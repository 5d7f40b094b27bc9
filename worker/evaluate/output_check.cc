#include "worker/evaluate/output_check.h"

#include <algorithm>
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

absl::Status OutputCheck::Add(Device& device, const CaseMemory& memory,
                              int slot, int draw) {
  for (size_t i = 0; i < sizes_.outputs.size(); ++i) {
    const int output = static_cast<int>(i);
    ASSAY_ASSIGN_OR_RETURN(const std::vector<measure::CompareResult> results,
                           device.Compare(sizes_.outputs[i].dtype,
                                          {{memory.Output(slot, output),
                                            memory.Expected(output, draw)}},
                                          settings_.tolerance));
    for (const measure::CompareResult& result : results) {
      Note(sizes_.outputs[i], result);
    }
  }
  return absl::OkStatus();
}

void OutputCheck::Note(const ResolvedTensor& output,
                       const measure::CompareResult& result) {
  correctness_.set_max_absolute_error(
      std::max(correctness_.max_absolute_error(), result.max_abs_error));
  correctness_.set_max_relative_error(
      std::max(correctness_.max_relative_error(), result.max_rel_error));
  correctness_.set_matched_ratio(std::min(
      correctness_.has_matched_ratio() ? correctness_.matched_ratio() : 1.0,
      result.MatchedRatio()));
  if (passed() && result.MatchedRatio() < settings_.required_matched_ratio) {
    Describe(output, result);
  }
}

void OutputCheck::Describe(const ResolvedTensor& output,
                           const measure::CompareResult& result) {
  failure_ = absl::StrFormat(
      "output \"%s\": %d of %d values are wrong (atol %g, rtol %g); the worst "
      "is at %s: got %g, expected %g",
      output.name, result.wrong, result.count, settings_.tolerance.atol,
      settings_.tolerance.rtol, Position(output, result.worst_index),
      result.worst_got, result.worst_want);
  if (result.nonfinite_mismatches > 0) {
    absl::StrAppend(&failure_, "; ", result.nonfinite_mismatches,
                    " are NaN or infinite where the reference is not, or the "
                    "other way round");
  }
}

}  // namespace assay
