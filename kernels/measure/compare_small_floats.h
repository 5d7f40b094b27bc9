// As FloatAccumulator, for the types of 4 and 8 bits. Internal to this folder;
// for CUDA, the CPU compiles it for tests.
//
// There are so many values in a vector that even decoding them one by one takes
// longer than reading them. So a first screen, in float16 and two values at a
// time, finds the units that can matter, ties with the largest errors so far
// left out where they are frequent; FloatAccumulator then screens the values of
// those. The first may name a unit too many, never one too few.

#ifndef ASSAY_KERNELS_MEASURE_COMPARE_SMALL_FLOATS_H_
#define ASSAY_KERNELS_MEASURE_COMPARE_SMALL_FLOATS_H_

#include <cstdint>

#include "kernels/measure/attributes.h"
#include "kernels/measure/compare_accumulator.h"
#include "kernels/measure/compare_summary.h"
#include "kernels/measure/half_codec.h"
#include "kernels/measure/half_pair.h"
#include "kernels/measure/judge.h"
#include "kernels/measure/minifloat.h"
#include "kernels/measure/vector_codec.h"

namespace assay::measure {

inline constexpr uint32_t kLargestHalf = 0x7BFF;

// The largest finite float16, by its code, that is not above a number that is
// not negative.
ASSAY_HOST_DEVICE inline uint32_t HalfDown(float value) {
  const uint32_t code = EncodeMinifloat<Float16Format>(value);
  if (code > kLargestHalf) return kLargestHalf;
  return DecodeMinifloat<Float16Format>(code) > value ? code - 1 : code;
}

// What errors can be passed over, given the largest so far. Errors here are
// differences of float16, rounded; values and errors are in units of `scale`.
//
// Differences and products are rounded by 2^-11 of themselves at most, and by
// 2^-9 where they are subnormal, as the smallest error of any type is 2^-16.
// Factors are lowered by more than both.
class HalfScreen {
 public:
  ASSAY_HOST_DEVICE HalfScreen(const Limits<float>& limits, float scale)
      : scale_(scale),
        atol_(Lowered(limits.atol / scale)),
        rtol_(Lowered(limits.rtol)) {
    Raise(0, 0);
  }

  // Whether no error of the pair can matter; false if one is not a number.
  ASSAY_HOST_DEVICE bool Passes(HalfPair got, HalfPair want) const {
    const HalfPair error = Magnitudes(Difference(got, want));
    const HalfPair size = Magnitudes(want);
    const HalfPair raises_rel = MultiplyAdd(size, max_rel_, max_of_zero_);
    const HalfPair is_wrong = Larger(atol_, Product(size, rtol_));
    // An error that was rounded is that of a value more than 64 times as large
    // as the other, so it is above half of `want`.
    const HalfPair half_want = Product(size, BothHalves(kOneHalf));
    const HalfPair raises_abs =
        Smaller(max_abs_, Larger(below_max_abs_, half_want));
    return NoneAbove(error, Smaller(Smaller(raises_rel, is_wrong), raises_abs));
  }

  // Says what the largest errors are now.
  ASSAY_HOST_DEVICE void Raise(float max_abs, float max_rel) {
    const uint32_t abs = HalfDown(max_abs / scale_);
    max_abs_ = BothHalves(abs);
    below_max_abs_ = BothHalves(abs > 0 ? abs - 1 : 0);
    max_rel_ = Lowered(max_rel);
    max_of_zero_ = BothHalves(LargestOfZero(max_rel));
  }

 private:
  static constexpr uint32_t kOneHalf = 0x3800;

  ASSAY_HOST_DEVICE static HalfPair Lowered(float factor) {
    const float finite = Smaller(factor, kLargestFinite<float>);
    return BothHalves(HalfDown(finite * (1 - 0x1p-7F)));
  }

  // The largest error of a value that should be 0, of which there may be many,
  // that does not raise the maximum. It stands for what kRelativeEpsilon adds
  // to other divisors, a thousandth of them at most: less than is lowered.
  ASSAY_HOST_DEVICE uint32_t LargestOfZero(float max_rel) const {
    constexpr auto kDivisor = static_cast<float>(kRelativeEpsilon);
    const float finite = Smaller(max_rel, kLargestFinite<float>);
    const uint32_t code = HalfDown(MultiplyDown(finite, kDivisor) / scale_);
    if (code == kLargestHalf) return code;
    const float next = DecodeMinifloat<Float16Format>(code + 1) * scale_;
    return next / kDivisor <= finite ? code + 1 : code;
  }

  float scale_;
  HalfPair atol_;
  HalfPair rtol_;
  HalfPair max_abs_;
  HalfPair below_max_abs_;
  HalfPair max_rel_;
  HalfPair max_of_zero_;
};

template <typename CodecType>
class SmallFloatAccumulator {
 public:
  using Codec = CodecType;
  using Shape = VectorShape<Codec>;

  ASSAY_HOST_DEVICE explicit SmallFloatAccumulator(const Limits<float>& limits)
      : exact_(limits), screen_(limits, HalvesOf<Codec>::kScale) {}

  // A bit for each unit that AddUnit must see.
  ASSAY_HOST_DEVICE uint32_t Screen(const Vector& got,
                                    const Vector& want) const {
    uint32_t units = 0;
#if defined(__CUDA_ARCH__)
#pragma unroll
#endif
    for (int unit = 0; unit < Shape::kUnits; ++unit) {
      units |= UnitPasses(got.words[unit], want.words[unit]) ? 0U : 1U << unit;
    }
    return units;
  }

  // As FloatAccumulator. The first screen does not learn of it before Raise.
  ASSAY_HOST_DEVICE void AddUnit(int unit, const Vector& got,
                                 const Vector& want, uint64_t first_index) {
    exact_.AddUnit(unit, got, want, first_index);
  }

  ASSAY_HOST_DEVICE float max_abs() const { return exact_.max_abs(); }
  ASSAY_HOST_DEVICE float max_rel() const { return exact_.max_rel(); }

  // Raises the largest errors to those of another accumulator.
  ASSAY_HOST_DEVICE void Raise(float max_abs, float max_rel) {
    exact_.Raise(max_abs, max_rel);
    screen_.Raise(exact_.max_abs(), exact_.max_rel());
  }

  ASSAY_HOST_DEVICE CompareSummary Summary() const { return exact_.Summary(); }

 private:
  ASSAY_HOST_DEVICE bool UnitPasses(uint32_t got, uint32_t want) const {
    bool passes = true;
#if defined(__CUDA_ARCH__)
#pragma unroll
#endif
    for (int i = 0; i < Shape::kValuesPerUnit / 2; ++i) {
      passes &= screen_.Passes(HalvesOf<Codec>::Decode(got, i),
                               HalvesOf<Codec>::Decode(want, i));
    }
    return passes;
  }

  FloatAccumulator<Codec> exact_;
  HalfScreen screen_;
};

}  // namespace assay::measure

#endif  // ASSAY_KERNELS_MEASURE_COMPARE_SMALL_FLOATS_H_
