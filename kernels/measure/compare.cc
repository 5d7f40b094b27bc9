#include "kernels/measure/compare.h"

#include <algorithm>
#include <cstring>

#include "kernels/measure/attributes.h"
#include "kernels/measure/compare_integers.h"
#include "kernels/measure/compare_summary.h"
#include "kernels/measure/convert.h"
#include "kernels/measure/judge.h"
#include "kernels/measure/minifloat.h"

namespace assay::measure {
namespace {

constexpr size_t kRun = 512;

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
void CompareIntegers(const char* got, const char* want, size_t count,
                     CompareResult* result) {
  T got_run[kRun];
  T want_run[kRun];
  CompareSummary summary = {};
  for (size_t i = 0; i < count; i += kRun) {
    const size_t elements = std::min(kRun, count - i);
    const size_t bytes = elements * sizeof(T);
    std::memcpy(got_run, got + i * sizeof(T), bytes);
    std::memcpy(want_run, want + i * sizeof(T), bytes);
    if (std::memcmp(got_run, want_run, bytes) == 0) continue;
    for (size_t j = 0; j < elements; ++j) {
      AddIntegerPair(got_run[j], want_run[j], i + j, &summary);
    }
  }
  StoreResult(summary, count, result);
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
