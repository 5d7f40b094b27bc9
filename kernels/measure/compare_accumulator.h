// Compares tensors vector by vector, as one CUDA thread does. Internal to this
// folder; the CPU compiles it for tests.
//
//   FloatAccumulator<Float16Codec> accumulator(limits);
//   ... for each vector of 16 bytes:
//   for (uint32_t units = accumulator.Screen(got, want); ...each bit...) {
//     accumulator.AddUnit(unit, got, want, first_index);
//   }
//   accumulator.Summary();
//
// A quotient costs more than all else about a pair, and hardly any is needed:
// Screen finds, by multiplication, the units that can raise the largest
// relative error or hold a wrong value. It may name a unit too many, never one
// too few, so the outcome is that of judging every pair.

#ifndef ASSAY_KERNELS_MEASURE_COMPARE_ACCUMULATOR_H_
#define ASSAY_KERNELS_MEASURE_COMPARE_ACCUMULATOR_H_

#include <cmath>
#include <cstdint>

#include "kernels/measure/attributes.h"
#include "kernels/measure/compare_summary.h"
#include "kernels/measure/judge.h"
#include "kernels/measure/vector_codec.h"

namespace assay::measure {

// The product of two numbers that are not negative, rounded down.
ASSAY_HOST_DEVICE inline float MultiplyDown(float a, float b) {
#if defined(__CUDA_ARCH__)
  return __fmul_rd(a, b);
#else
  const double exact = static_cast<double>(a) * static_cast<double>(b);
  const auto nearest = static_cast<float>(exact);
  return static_cast<double>(nearest) > exact ? std::nextafter(nearest, 0.0F)
                                              : nearest;
#endif
}

ASSAY_HOST_DEVICE inline double MultiplyDown(double a, double b) {
#if defined(__CUDA_ARCH__)
  return __dmul_rd(a, b);
#else
  const double nearest = a * b;
  return std::fma(a, b, -nearest) < 0 ? std::nextafter(nearest, 0.0) : nearest;
#endif
}

// a * b + c of numbers that are not negative, rounded down; the CPU may be off
// by what double is.
ASSAY_HOST_DEVICE inline float MultiplyAddDown(float a, float b, float c) {
#if defined(__CUDA_ARCH__)
  return __fmaf_rd(a, b, c);
#else
  const double sum =
      static_cast<double>(a) * static_cast<double>(b) + static_cast<double>(c);
  const auto nearest = static_cast<float>(sum);
  return static_cast<double>(nearest) > sum ? std::nextafter(nearest, 0.0F)
                                            : nearest;
#endif
}

// On the CPU a little less.
ASSAY_HOST_DEVICE inline double MultiplyAddDown(double a, double b, double c) {
#if defined(__CUDA_ARCH__)
  return __fma_rd(a, b, c);
#else
  return std::nextafter(std::fma(a, b, c), 0.0);
#endif
}

// Less than half a unit in the last place of a finite number that is not
// negative, but hardly less: except for the very smallest, which have 0.
ASSAY_HOST_DEVICE inline float JustUnderHalfUlp(float value) {
  const auto power = BitCast<float>(BitCast<uint32_t>(value) & 0x7F800000U);
  return MultiplyDown(power, 0x1.FFp-25F);
}

ASSAY_HOST_DEVICE inline double JustUnderHalfUlp(double value) {
  const auto power =
      BitCast<double>(BitCast<uint64_t>(value) & 0x7FF0000000000000U);
  return MultiplyDown(power, 0x1.FFp-54);
}

// The one that is a number, if only one is.
template <typename T>
ASSAY_HOST_DEVICE inline T Larger(T a, T b) {
  return std::fmax(a, b);
}

template <typename T>
ASSAY_HOST_DEVICE inline T Smaller(T a, T b) {
  return std::fmin(a, b);
}

template <typename CodecType>
class FloatAccumulator {
 public:
  using Codec = CodecType;
  using Shape = VectorShape<Codec>;
  using T = typename Codec::Value;

  ASSAY_HOST_DEVICE explicit FloatAccumulator(const Limits<T>& limits)
      : limits_(limits),
        // Finite, so that no infinite error is below the limits.
        screen_atol_(Smaller(limits.atol, kMax)),
        screen_rtol_(Smaller(limits.rtol, kMax)) {}

  // A bit for each unit that AddUnit must see. Updates what needs no quotient.
  ASSAY_HOST_DEVICE uint32_t Screen(const Vector& got, const Vector& want) {
    const Bar bar = BarOf(max_rel_);
    uint32_t units = 0;
#if defined(__CUDA_ARCH__)
#pragma unroll
#endif
    for (int unit = 0; unit < Shape::kUnits; ++unit) {
      units |= ScreenUnit(unit, got, want, bar) ? 1U << unit : 0U;
    }
    return units;
  }

  // Judges the values of a unit. `first_index` is the index of the vector's
  // first value in the tensor.
  ASSAY_HOST_DEVICE void AddUnit(int unit, const Vector& got,
                                 const Vector& want, uint64_t first_index) {
    const auto got_unit = UnitOf(got, unit, typename Codec::Unit{});
    const auto want_unit = UnitOf(want, unit, typename Codec::Unit{});
    const uint64_t first = first_index + unit * Shape::kValuesPerUnit;
#if defined(__CUDA_ARCH__)
#pragma unroll 1
#endif
    for (int i = 0; i < Shape::kValuesPerUnit; ++i) {
      AddPair(Codec::Decode(got_unit >> (i * Codec::kBits)),
              Codec::Decode(want_unit >> (i * Codec::kBits)), first + i);
    }
  }

  // Largest errors so far. Raising them to those of another accumulator spares
  // quotients, and changes nothing in the end.
  ASSAY_HOST_DEVICE T max_abs() const { return max_abs_; }
  ASSAY_HOST_DEVICE T max_rel() const { return max_rel_; }
  ASSAY_HOST_DEVICE void Raise(T max_abs, T max_rel) {
    max_abs_ = Larger(max_abs_, max_abs);
    max_rel_ = Larger(max_rel_, max_rel);
  }

  ASSAY_HOST_DEVICE CompareSummary Summary() const {
    return {wrong_,
            mismatches_,
            worst_index_,
            static_cast<double>(max_abs_),
            static_cast<double>(max_rel_),
            static_cast<double>(worst_abs_),
            static_cast<double>(worst_got_),
            static_cast<double>(worst_want_)};
  }

 private:
  static constexpr T kMax = kLargestFinite<T>;

  // What the quotient of an error must exceed to raise the maximum.
  struct Bar {
    T max_rel;
    // Just under half of max_rel's last place: quotients up to the sum of both
    // are rounded to max_rel or less. Without it, errors that equal the largest
    // so far, of which there may be very many, would pass for larger ones.
    T margin;
  };

  ASSAY_HOST_DEVICE static Bar BarOf(T max_rel) {
    const T finite = Smaller(max_rel, kMax);
    return {finite, JustUnderHalfUlp(finite)};
  }

  // Whether an error of `size` may raise the bar, or be wrong. When the
  // quotient size / divisor, rounded, is above a limit, then the exact one is,
  // so `size` is above the limit times the divisor, and above that product
  // rounded down. True when `size` is not a number.
  ASSAY_HOST_DEVICE bool MayMatter(T size, T want, const Bar& bar) const {
    const T divisor = std::fabs(want) + static_cast<T>(kRelativeEpsilon);
    const T raises = MultiplyAddDown(bar.max_rel, divisor,
                                     MultiplyDown(bar.margin, divisor));
    const T is_wrong =
        Larger(screen_atol_, MultiplyDown(screen_rtol_, divisor));
    return !(size <= Smaller(raises, is_wrong));
  }

  ASSAY_HOST_DEVICE bool ScreenUnit(int unit, const Vector& got,
                                    const Vector& want, const Bar& bar) {
    T got_values[Shape::kValuesPerUnit];
    T want_values[Shape::kValuesPerUnit];
    DecodeUnit<Codec>(UnitOf(got, unit, typename Codec::Unit{}), got_values);
    DecodeUnit<Codec>(UnitOf(want, unit, typename Codec::Unit{}), want_values);
    T largest = 0;
    bool matters = false;
#if defined(__CUDA_ARCH__)
#pragma unroll
#endif
    for (int i = 0; i < Shape::kValuesPerUnit; ++i) {
      const T size = std::fabs(got_values[i] - want_values[i]);
      matters |= MayMatter(size, want_values[i], bar);
      largest = Larger(largest, size);
    }
    max_abs_ = Larger(max_abs_, largest);
    // An infinite value of `want` makes the products infinite too.
    return matters || largest > kMax;
  }

  ASSAY_HOST_DEVICE void AddPair(T got, T want, uint64_t index) {
    const T size = std::fabs(got - want);
    max_abs_ = Larger(max_abs_, size);
    if (size <= kMax && !MayMatter(size, want, BarOf(max_rel_))) return;
    const Verdict<T> verdict = Judge(got, want, limits_);
    max_abs_ = Larger(max_abs_, verdict.abs_error);
    max_rel_ = Larger(max_rel_, verdict.rel_error);
    wrong_ += verdict.wrong ? 1 : 0;
    mismatches_ += verdict.mismatch ? 1 : 0;
    // Indices grow, so the first of equals stays.
    if (!verdict.wrong || verdict.abs_error <= worst_abs_) return;
    worst_abs_ = verdict.abs_error;
    worst_index_ = index;
    worst_got_ = got;
    worst_want_ = want;
  }

  Limits<T> limits_;
  T screen_atol_;
  T screen_rtol_;
  T max_abs_ = 0;
  T max_rel_ = 0;
  // One thread of a grid does not see 2^32 values.
  uint32_t wrong_ = 0;
  uint32_t mismatches_ = 0;
  T worst_abs_ = 0;
  T worst_got_ = 0;
  T worst_want_ = 0;
  uint64_t worst_index_ = 0;
};

}  // namespace assay::measure

#endif  // ASSAY_KERNELS_MEASURE_COMPARE_ACCUMULATOR_H_
