// Judges an output against the expected one, in one pass over both.
//
//   const CompareResult result =
//       Compare(ElementType::kBFloat16, got, want, count, {1e-2, 1e-2});
//   const bool passed = result.MatchedRatio() >= required_ratio;
//
// `got` may be memory that a hostile process is still writing to: each element
// is read once.

#ifndef ASSAY_KERNELS_MEASURE_COMPARE_H_
#define ASSAY_KERNELS_MEASURE_COMPARE_H_

#include <cstddef>
#include <cstdint>

#include "kernels/measure/element_type.h"

namespace assay::measure {

// Limits of the error of a floating-point value; not negative, not NaN.
struct Tolerance {
  double atol;
  double rtol;
};

struct CompareResult {
  // Values compared: two per element for float4_e2m1fn_x2.
  uint64_t count = 0;
  uint64_t wrong = 0;
  // Wrong values of which one side is NaN, +Inf or -Inf and the other is not
  // the same. Part of `wrong`.
  uint64_t nonfinite_mismatches = 0;
  // Largest errors of all values, wrong or not; +Inf after a mismatch of
  // non-finite values, never NaN.
  double max_abs_error = 0;
  double max_rel_error = 0;
  // The wrong value with the largest absolute error, the first of equals.
  // Meaningful when `wrong` is not 0. Counted in values.
  uint64_t worst_index = 0;
  double worst_got = 0;
  double worst_want = 0;

  // Share of values that are not wrong; 1 for no values at all.
  double MatchedRatio() const;
};

// Compares `count` elements. `got` and `want` need no alignment.
// - Floating point: a value is wrong when abs > atol and rel > rtol, with abs =
//   |got - want| and rel = abs / (|want| + 1e-8), all in float32 (in float64
//   for float64): FlashInfer-Bench's rule. Both NaN, or both the same infinity,
//   is right with no error; any other pair with a non-finite value is wrong,
//   with infinite errors.
// - Integers and bool: wrong unless equal, whatever the tolerance.
//   FlashInfer-Bench lets a large integer, such as an index, be off by a
//   fraction of itself. A bool is compared by its byte: memory that was never
//   written is not true because it is not 0.
CompareResult Compare(ElementType type, const void* got, const void* want,
                      size_t count, const Tolerance& tolerance);

}  // namespace assay::measure

#endif  // ASSAY_KERNELS_MEASURE_COMPARE_H_
