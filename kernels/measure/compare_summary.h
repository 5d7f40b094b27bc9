// What is known about the pairs of values compared so far. Internal to this
// folder; the parts of a tensor are summarised apart and then combined, in any
// order, for the same answer.

#ifndef ASSAY_KERNELS_MEASURE_COMPARE_SUMMARY_H_
#define ASSAY_KERNELS_MEASURE_COMPARE_SUMMARY_H_

#include <cstdint>

#include "kernels/measure/attributes.h"
#include "kernels/measure/compare.h"

namespace assay::measure {

// float32 errors and values are held exactly. The fields are those of
// CompareResult, and the absolute error of the worst value.
struct CompareSummary {
  uint64_t wrong;
  uint64_t mismatches;
  uint64_t worst_index;
  double max_abs;
  double max_rel;
  // 0 as long as no value is wrong; the error of a wrong value is larger.
  double worst_abs;
  double worst_got;
  double worst_want;
};

// Adds a part of the same tensor.
ASSAY_HOST_DEVICE inline void Combine(const CompareSummary& part,
                                      CompareSummary* sum) {
  sum->wrong += part.wrong;
  sum->mismatches += part.mismatches;
  sum->max_abs = part.max_abs > sum->max_abs ? part.max_abs : sum->max_abs;
  sum->max_rel = part.max_rel > sum->max_rel ? part.max_rel : sum->max_rel;
  const bool first_of_equals =
      part.worst_abs == sum->worst_abs && part.worst_index < sum->worst_index;
  if (part.worst_abs > sum->worst_abs || first_of_equals) {
    sum->worst_abs = part.worst_abs;
    sum->worst_index = part.worst_index;
    sum->worst_got = part.worst_got;
    sum->worst_want = part.worst_want;
  }
}

ASSAY_HOST_DEVICE inline void StoreResult(const CompareSummary& summary,
                                          uint64_t values,
                                          CompareResult* result) {
  result->count = values;
  result->wrong = summary.wrong;
  result->nonfinite_mismatches = summary.mismatches;
  result->max_abs_error = summary.max_abs;
  result->max_rel_error = summary.max_rel;
  result->worst_index = summary.worst_index;
  result->worst_got = summary.worst_got;
  result->worst_want = summary.worst_want;
}

}  // namespace assay::measure

#endif  // ASSAY_KERNELS_MEASURE_COMPARE_SUMMARY_H_
