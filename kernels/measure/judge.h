// The rule of compare.h for one pair of floating-point values. Internal to this
// folder; the CPU and CUDA compile it from this source.

#ifndef ASSAY_KERNELS_MEASURE_JUDGE_H_
#define ASSAY_KERNELS_MEASURE_JUDGE_H_

#include <cmath>
#include <limits>

#include "kernels/measure/attributes.h"

namespace assay::measure {

// What the relative error of a value near 0 is relative to.
inline constexpr double kRelativeEpsilon = 1e-8;

// Device code may not call the functions of numeric_limits.
template <typename T>
inline constexpr T kLargestFinite = std::numeric_limits<T>::max();
template <typename T>
inline constexpr T kInfinite = std::numeric_limits<T>::infinity();

template <typename T>
struct Limits {
  T atol;
  T rtol;
};

template <typename T>
struct Verdict {
  T abs_error;
  T rel_error;
  bool mismatch;
  bool wrong;
};

// Without branches, for vector code.
template <typename T>
ASSAY_HOST_DEVICE inline Verdict<T> Judge(T got, T want,
                                          const Limits<T>& limits) {
  constexpr T kMax = kLargestFinite<T>;
  constexpr T kInfinity = kInfinite<T>;
  const T got_size = got < 0 ? -got : got;
  const T want_size = want < 0 ? -want : want;
  // Comparisons with NaN are false.
  const bool finite = (got_size <= kMax) & (want_size <= kMax);
  const bool same = (got == want) | (std::isnan(got) & std::isnan(want));
  const T difference = got - want;
  const T size = difference < 0 ? -difference : difference;
  const T finite_abs = finite ? size : kInfinity;
  const T abs_error = same ? T{0} : finite_abs;
  const T divisor = want_size + static_cast<T>(kRelativeEpsilon);
  const T finite_rel = finite ? size / divisor : kInfinity;
  const T rel_error = same ? T{0} : finite_rel;
  const bool mismatch = !finite & !same;
  const bool wrong =
      mismatch | ((abs_error > limits.atol) & (rel_error > limits.rtol));
  return {abs_error, rel_error, mismatch, wrong};
}

}  // namespace assay::measure

#endif  // ASSAY_KERNELS_MEASURE_JUDGE_H_
