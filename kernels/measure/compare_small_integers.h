// As IntegerAccumulator, for integers of 8 and 16 bits and bools. Internal to
// this folder; for CUDA, the CPU compiles it for tests.
//
// Differing values are counted a word at a time. Only those that can raise a
// largest error are looked at further: float32 holds such integers exactly, so
// a few instructions of it find them, without a quotient in float64 for each.

#ifndef ASSAY_KERNELS_MEASURE_COMPARE_SMALL_INTEGERS_H_
#define ASSAY_KERNELS_MEASURE_COMPARE_SMALL_INTEGERS_H_

#include <cmath>
#include <cstdint>
#include <type_traits>

#include "kernels/measure/attributes.h"
#include "kernels/measure/compare_accumulator.h"
#include "kernels/measure/compare_integers.h"
#include "kernels/measure/compare_summary.h"
#include "kernels/measure/judge.h"
#include "kernels/measure/minifloat.h"
#include "kernels/measure/vector_codec.h"

namespace assay::measure {

// How many fields of kBits bits of a word are not 0.
template <int kBits>
ASSAY_HOST_DEVICE inline uint32_t NonzeroFields(uint32_t word) {
  static_assert(kBits == 8 || kBits == 16);
  constexpr uint32_t kTops = kBits == 8 ? 0x80808080U : 0x80008000U;
  const uint32_t nonzero = (((word & ~kTops) + ~kTops) | word) & kTops;
#if defined(__CUDA_ARCH__)
  return static_cast<uint32_t>(__popc(nonzero));
#else
  return static_cast<uint32_t>(__builtin_popcount(nonzero));
#endif
}

// 2^23 plus field `i` of kBits bits of a word.
template <int kBits>
ASSAY_HOST_DEVICE inline float FieldAbove2To23(uint32_t word, int i) {
  constexpr uint32_t k2To23 = 0x4B000000;
#if defined(__CUDA_ARCH__)
  const auto first = static_cast<uint32_t>(i * kBits / 8);
  const uint32_t second = kBits == 8 ? 4 : first + 1;
  return BitCast<float>(
      __byte_perm(word, k2To23, 0x7400 | (second << 4) | first));
#else
  constexpr uint32_t kMask = (1U << kBits) - 1;
  return BitCast<float>(((word >> (i * kBits)) & kMask) | k2To23);
#endif
}

template <typename CodecType>
class SmallIntegerAccumulator {
 public:
  using Codec = CodecType;
  using Shape = VectorShape<Codec>;
  using T = typename Codec::Value;
  static_assert(Codec::kBits <= 16);

  // A bit for each unit that AddUnit must see. Counts the differences.
  ASSAY_HOST_DEVICE uint32_t Screen(const Vector& got, const Vector& want) {
    uint32_t units = 0;
#if defined(__CUDA_ARCH__)
#pragma unroll
#endif
    for (int unit = 0; unit < Shape::kUnits; ++unit) {
      wrong_ += NonzeroFields<Codec::kBits>(got.words[unit] ^ want.words[unit]);
      units |= UnitMatters(got.words[unit] ^ kSigns, want.words[unit] ^ kSigns)
                   ? 1U << unit
                   : 0U;
    }
    return units;
  }

  ASSAY_HOST_DEVICE void AddUnit(int unit, const Vector& got,
                                 const Vector& want, uint64_t first_index) {
    const uint32_t got_unit = UnitOf(got, unit, uint32_t{});
    const uint32_t want_unit = UnitOf(want, unit, uint32_t{});
    const uint64_t first = first_index + unit * Shape::kValuesPerUnit;
#if defined(__CUDA_ARCH__)
#pragma unroll 1
#endif
    for (int i = 0; i < Shape::kValuesPerUnit; ++i) {
      AddPair(Codec::Decode(got_unit >> (i * Codec::kBits)),
              Codec::Decode(want_unit >> (i * Codec::kBits)), first + i);
    }
  }

  // Largest errors so far. Raising them to those of another accumulator whose
  // values come before the next ones here changes nothing in the end.
  ASSAY_HOST_DEVICE float max_abs() const { return max_abs_; }
  ASSAY_HOST_DEVICE double max_rel() const { return max_rel_; }
  ASSAY_HOST_DEVICE void Raise(float max_abs, double max_rel) {
    max_abs_ = Larger(max_abs_, max_abs);
    max_rel_ = Larger(max_rel_, max_rel);
    bar_rel_ = static_cast<float>(max_rel_ * (1 - 0x1p-20));
    bar_of_zero_ = LargestOfZero();
  }

  ASSAY_HOST_DEVICE CompareSummary Summary() const {
    return {wrong_,
            0,
            worst_index_,
            static_cast<double>(max_abs_),
            max_rel_,
            static_cast<double>(worst_abs_),
            static_cast<double>(worst_got_),
            static_cast<double>(worst_want_)};
  }

 private:
  // The sign bits, which are turned so that codes are ordered as values are.
  static constexpr bool kSigned = std::is_signed_v<T>;
  static constexpr uint32_t kSigns =
      kSigned ? (Codec::kBits == 8 ? 0x80808080U : 0x80008000U) : 0U;
  static constexpr float kZero =
      0x1p23F + (kSigned ? static_cast<float>(1U << (Codec::kBits - 1)) : 0.0F);

  // Whether an error may raise a maximum. The bar is below what it stands for
  // by more than float32 rounds.
  ASSAY_HOST_DEVICE bool MayMatter(float abs_error, float want_size) const {
    const float raises = MultiplyAddDown(want_size, bar_rel_, bar_of_zero_);
    return abs_error > Smaller(raises, max_abs_);
  }

  ASSAY_HOST_DEVICE bool UnitMatters(uint32_t got, uint32_t want) const {
    bool matters = false;
#if defined(__CUDA_ARCH__)
#pragma unroll
#endif
    for (int i = 0; i < Shape::kValuesPerUnit; ++i) {
      const float got_value = FieldAbove2To23<Codec::kBits>(got, i);
      const float want_value = FieldAbove2To23<Codec::kBits>(want, i);
      matters |= MayMatter(std::fabs(got_value - want_value),
                           std::fabs(want_value - kZero));
    }
    return matters;
  }

  // The largest error of a value that should be 0 that does not raise the
  // maximum: there may be many as large as the largest so far.
  ASSAY_HOST_DEVICE float LargestOfZero() const {
    const double below = std::floor(max_rel_ * kRelativeEpsilon * (1 - 1e-15));
    const double next = below + 1;
    return static_cast<float>(
        RelativeErrorOfIntegers(next, 0) <= max_rel_ ? next : below);
  }

  ASSAY_HOST_DEVICE void AddPair(T got, T want, uint64_t index) {
    const auto got_value = static_cast<float>(got);
    const auto want_value = static_cast<float>(want);
    const float abs_error = std::fabs(got_value - want_value);
    if (!MayMatter(abs_error, std::fabs(want_value))) return;
    max_rel_ = Larger(max_rel_,
                      RelativeErrorOfIntegers(static_cast<double>(abs_error),
                                              static_cast<double>(want_value)));
    // Indices grow, so the first of equals stays.
    if (abs_error <= max_abs_) return;
    max_abs_ = abs_error;
    worst_abs_ = abs_error;
    worst_index_ = index;
    worst_got_ = got_value;
    worst_want_ = want_value;
  }

  uint32_t wrong_ = 0;
  float max_abs_ = 0;
  double max_rel_ = 0;
  float bar_rel_ = 0;
  float bar_of_zero_ = 0;
  // Of the values seen here, as long as they exceed those seen elsewhere.
  float worst_abs_ = 0;
  float worst_got_ = 0;
  float worst_want_ = 0;
  uint64_t worst_index_ = 0;
};

}  // namespace assay::measure

#endif  // ASSAY_KERNELS_MEASURE_COMPARE_SMALL_INTEGERS_H_
