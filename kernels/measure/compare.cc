#include "kernels/measure/compare.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "kernels/measure/attributes.h"
#include "kernels/measure/convert.h"
#include "kernels/measure/minifloat.h"

namespace assay::measure {
namespace {

constexpr double kRelativeEpsilon = 1e-8;
constexpr size_t kRun = 512;

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

// The rule of the header for one pair. Without branches, for vector code.
template <typename T>
inline Verdict<T> Judge(T got, T want, const Limits<T>& limits) {
  constexpr T kMax = std::numeric_limits<T>::max();
  constexpr T kInfinity = std::numeric_limits<T>::infinity();
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

// Counts and maxima of one run. Errors are never negative and never NaN, so
// their bits, as integers, are ordered as they are: integer maxima become
// vector code where floating-point ones do not.
template <typename Bits>
struct RunSummary {
  Bits wrong = 0;
  Bits mismatches = 0;
  Bits max_abs = 0;
  Bits max_rel = 0;
  // Largest absolute error of a wrong value.
  Bits max_wrong_abs = 0;
};

template <typename T, typename Bits>
inline __attribute__((always_inline)) RunSummary<Bits> Summarize(
    const T* got, const T* want, size_t count, const Limits<T>& limits) {
  // Plain variables: vector code cannot keep the members of a result.
  const Limits<T> local = limits;
  Bits wrong = 0;
  Bits mismatches = 0;
  Bits max_abs = 0;
  Bits max_rel = 0;
  Bits max_wrong_abs = 0;
  for (size_t i = 0; i < count; ++i) {
    const Verdict<T> verdict = Judge(got[i], want[i], local);
    const Bits abs_bits = BitCast<Bits>(verdict.abs_error);
    const Bits rel_bits = BitCast<Bits>(verdict.rel_error);
    const Bits wrong_abs = verdict.wrong ? abs_bits : Bits{0};
    wrong += verdict.wrong ? 1 : 0;
    mismatches += verdict.mismatch ? 1 : 0;
    max_abs = abs_bits > max_abs ? abs_bits : max_abs;
    max_rel = rel_bits > max_rel ? rel_bits : max_rel;
    max_wrong_abs = wrong_abs > max_wrong_abs ? wrong_abs : max_wrong_abs;
  }
  return {wrong, mismatches, max_abs, max_rel, max_wrong_abs};
}

ASSAY_VECTOR_CLONES
RunSummary<int32_t> SummarizeFloats(const float* got, const float* want,
                                    size_t count, const Limits<float>& limits) {
  return Summarize<float, int32_t>(got, want, count, limits);
}

ASSAY_VECTOR_CLONES
RunSummary<int64_t> SummarizeDoubles(const double* got, const double* want,
                                     size_t count,
                                     const Limits<double>& limits) {
  return Summarize<double, int64_t>(got, want, count, limits);
}

RunSummary<int32_t> SummarizeRun(const float* got, const float* want,
                                 size_t count, const Limits<float>& limits) {
  return SummarizeFloats(got, want, count, limits);
}

RunSummary<int64_t> SummarizeRun(const double* got, const double* want,
                                 size_t count, const Limits<double>& limits) {
  return SummarizeDoubles(got, want, count, limits);
}

// Adds a run that starts at value `first` to the result. `worst_abs` is the
// largest absolute error of a wrong value so far.
template <typename T>
void AddRun(const T* got, const T* want, uint64_t first, size_t count,
            const Limits<T>& limits, double* worst_abs, CompareResult* result) {
  const auto run = SummarizeRun(got, want, count, limits);
  const auto max_abs = static_cast<double>(BitCast<T>(run.max_abs));
  const auto max_rel = static_cast<double>(BitCast<T>(run.max_rel));
  result->wrong += static_cast<uint64_t>(run.wrong);
  result->nonfinite_mismatches += static_cast<uint64_t>(run.mismatches);
  result->max_abs_error = std::max(result->max_abs_error, max_abs);
  result->max_rel_error = std::max(result->max_rel_error, max_rel);
  const T run_worst = BitCast<T>(run.max_wrong_abs);
  if (run.wrong == 0 || static_cast<double>(run_worst) <= *worst_abs) return;
  // Rare: only a run that holds a new worst value is looked at again.
  for (size_t i = 0; i < count; ++i) {
    const Verdict<T> verdict = Judge(got[i], want[i], limits);
    if (!verdict.wrong || verdict.abs_error != run_worst) continue;
    *worst_abs = static_cast<double>(run_worst);
    result->worst_index = first + i;
    result->worst_got = static_cast<double>(got[i]);
    result->worst_want = static_cast<double>(want[i]);
    return;
  }
}

void CompareAsFloats(ElementType type, const char* got, const char* want,
                     size_t count, const Tolerance& tolerance,
                     CompareResult* result) {
  const Limits<float> limits = {static_cast<float>(tolerance.atol),
                                static_cast<float>(tolerance.rtol)};
  const size_t values = ValuesPerElement(type);
  float got_run[kRun];
  float want_run[kRun];
  double worst_abs = -1;
  for (size_t i = 0; i < count; i += kRun / values) {
    const size_t elements = std::min(kRun / values, count - i);
    ToFloats(type, got + i * ElementBytes(type), elements, got_run);
    ToFloats(type, want + i * ElementBytes(type), elements, want_run);
    AddRun(got_run, want_run, i * values, elements * values, limits, &worst_abs,
           result);
  }
}

void CompareDoubles(const char* got, const char* want, size_t count,
                    const Tolerance& tolerance, CompareResult* result) {
  const Limits<double> limits = {tolerance.atol, tolerance.rtol};
  double got_run[kRun];
  double want_run[kRun];
  double worst_abs = -1;
  for (size_t i = 0; i < count; i += kRun) {
    const size_t elements = std::min(kRun, count - i);
    std::memcpy(got_run, got + i * sizeof(double), elements * sizeof(double));
    std::memcpy(want_run, want + i * sizeof(double), elements * sizeof(double));
    AddRun(got_run, want_run, i, elements, limits, &worst_abs, result);
  }
}

template <typename T>
void AddIntegerPair(T got, T want, uint64_t index, double* worst_abs,
                    CompareResult* result) {
  if (got == want) return;
  const auto got_bits = static_cast<uint64_t>(static_cast<int64_t>(got));
  const auto want_bits = static_cast<uint64_t>(static_cast<int64_t>(want));
  // Modulo 2^64, so the difference of any two int64 is exact.
  const uint64_t distance =
      got > want ? got_bits - want_bits : want_bits - got_bits;
  const auto abs_error = static_cast<double>(distance);
  const auto want_value = static_cast<double>(want);
  const double want_size = want_value < 0 ? -want_value : want_value;
  ++result->wrong;
  result->max_abs_error = std::max(result->max_abs_error, abs_error);
  result->max_rel_error = std::max(result->max_rel_error,
                                   abs_error / (want_size + kRelativeEpsilon));
  if (abs_error <= *worst_abs) return;
  *worst_abs = abs_error;
  result->worst_index = index;
  result->worst_got = static_cast<double>(got);
  result->worst_want = want_value;
}

template <typename T>
void CompareIntegers(const char* got, const char* want, size_t count,
                     CompareResult* result) {
  T got_run[kRun];
  T want_run[kRun];
  double worst_abs = -1;
  for (size_t i = 0; i < count; i += kRun) {
    const size_t elements = std::min(kRun, count - i);
    const size_t bytes = elements * sizeof(T);
    std::memcpy(got_run, got + i * sizeof(T), bytes);
    std::memcpy(want_run, want + i * sizeof(T), bytes);
    if (std::memcmp(got_run, want_run, bytes) == 0) continue;
    for (size_t j = 0; j < elements; ++j) {
      AddIntegerPair(got_run[j], want_run[j], i + j, &worst_abs, result);
    }
  }
}

}  // namespace

double CompareResult::MatchedRatio() const {
  if (count == 0) return 1.0;
  return static_cast<double>(count - wrong) / static_cast<double>(count);
}

CompareResult Compare(ElementType type, const void* got, const void* want,
                      size_t count, const Tolerance& tolerance) {
  CompareResult result;
  result.count = count * ValuesPerElement(type);
  const auto* got_bytes = static_cast<const char*>(got);
  const auto* want_bytes = static_cast<const char*>(want);
  switch (type) {
    case ElementType::kFloat64:
      CompareDoubles(got_bytes, want_bytes, count, tolerance, &result);
      break;
    case ElementType::kFloat32:
    case ElementType::kFloat16:
    case ElementType::kBFloat16:
    case ElementType::kFloat8E4M3FN:
    case ElementType::kFloat8E5M2:
    case ElementType::kFloat4E2M1FNx2:
      CompareAsFloats(type, got_bytes, want_bytes, count, tolerance, &result);
      break;
    case ElementType::kInt64:
      CompareIntegers<int64_t>(got_bytes, want_bytes, count, &result);
      break;
    case ElementType::kInt32:
      CompareIntegers<int32_t>(got_bytes, want_bytes, count, &result);
      break;
    case ElementType::kInt16:
      CompareIntegers<int16_t>(got_bytes, want_bytes, count, &result);
      break;
    case ElementType::kInt8:
      CompareIntegers<int8_t>(got_bytes, want_bytes, count, &result);
      break;
    case ElementType::kUInt8:
    case ElementType::kBool:
      CompareIntegers<uint8_t>(got_bytes, want_bytes, count, &result);
      break;
  }
  return result;
}

}  // namespace assay::measure
