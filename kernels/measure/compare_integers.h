// The rule of compare.h for integers and bools, for the CPU and for CUDA.
// Internal to this folder.

#ifndef ASSAY_KERNELS_MEASURE_COMPARE_INTEGERS_H_
#define ASSAY_KERNELS_MEASURE_COMPARE_INTEGERS_H_

#include <cstdint>

#include "kernels/measure/attributes.h"
#include "kernels/measure/compare_summary.h"
#include "kernels/measure/judge.h"
#include "kernels/measure/vector_codec.h"

namespace assay::measure {

ASSAY_HOST_DEVICE inline double RelativeErrorOfIntegers(double abs_error,
                                                        double want) {
  const double want_size = want < 0 ? -want : want;
  return abs_error / (want_size + kRelativeEpsilon);
}

// Adds a pair to the summary of those before it: indices must grow.
template <typename T>
ASSAY_HOST_DEVICE inline void AddIntegerPair(T got, T want, uint64_t index,
                                             CompareSummary* summary) {
  if (got == want) return;
  const auto got_bits = static_cast<uint64_t>(static_cast<int64_t>(got));
  const auto want_bits = static_cast<uint64_t>(static_cast<int64_t>(want));
  // Modulo 2^64, so the difference of any two int64 is exact.
  const uint64_t distance =
      got > want ? got_bits - want_bits : want_bits - got_bits;
  const auto abs_error = static_cast<double>(distance);
  const auto want_value = static_cast<double>(want);
  const double rel_error = RelativeErrorOfIntegers(abs_error, want_value);
  ++summary->wrong;
  summary->max_abs =
      abs_error > summary->max_abs ? abs_error : summary->max_abs;
  summary->max_rel =
      rel_error > summary->max_rel ? rel_error : summary->max_rel;
  if (abs_error <= summary->worst_abs) return;
  summary->worst_abs = abs_error;
  summary->worst_index = index;
  summary->worst_got = static_cast<double>(got);
  summary->worst_want = want_value;
}

// As FloatAccumulator, for CUDA: any difference is an error, so there is
// nothing to screen but for equality.
template <typename CodecType>
class IntegerAccumulator {
 public:
  using Codec = CodecType;
  using Shape = VectorShape<Codec>;

  // A bit for each unit with a difference.
  ASSAY_HOST_DEVICE uint32_t Screen(const Vector& got, const Vector& want) {
    uint32_t units = 0;
    for (int unit = 0; unit < Shape::kUnits; ++unit) {
      const bool equal = UnitOf(got, unit, typename Codec::Unit{}) ==
                         UnitOf(want, unit, typename Codec::Unit{});
      units |= equal ? 0U : 1U << unit;
    }
    return units;
  }

  ASSAY_HOST_DEVICE void AddUnit(int unit, const Vector& got,
                                 const Vector& want, uint64_t first_index) {
    const auto got_unit = UnitOf(got, unit, typename Codec::Unit{});
    const auto want_unit = UnitOf(want, unit, typename Codec::Unit{});
    const uint64_t first = first_index + unit * Shape::kValuesPerUnit;
#if defined(__CUDA_ARCH__)
#pragma unroll 1
#endif
    for (int i = 0; i < Shape::kValuesPerUnit; ++i) {
      AddIntegerPair(Codec::Decode(got_unit >> (i * Codec::kBits)),
                     Codec::Decode(want_unit >> (i * Codec::kBits)), first + i,
                     &summary_);
    }
  }

  ASSAY_HOST_DEVICE CompareSummary Summary() const { return summary_; }

 private:
  CompareSummary summary_ = {};
};

}  // namespace assay::measure

#endif  // ASSAY_KERNELS_MEASURE_COMPARE_INTEGERS_H_
