// Finds pairs of 8-bit floating-point values that need a closer look, in
// float16 and two at a time. Internal to this folder; the CPU compiles it for
// tests.
//
//   HalfScreen<Float8E5M2Codec> screen(limits);
//   if (!screen.Passes(got_unit, want_unit)) ... judge the values one by one
//   screen.Raise(max_abs, max_rel);   // the largest errors by now
//
// What it passes is right and raises no largest error. It may pass too little,
// but passes ties with the largest errors so far where they are frequent.

#ifndef ASSAY_KERNELS_MEASURE_HALF_SCREEN_H_
#define ASSAY_KERNELS_MEASURE_HALF_SCREEN_H_

#include <cstdint>

#include "kernels/measure/attributes.h"
#include "kernels/measure/compare_accumulator.h"
#include "kernels/measure/half_pair.h"
#include "kernels/measure/judge.h"
#include "kernels/measure/minifloat.h"
#include "kernels/measure/vector_codec.h"

namespace assay::measure {

// The values of a unit as two pairs of float16, which hold them exactly. Which
// value is in which pair depends on the type alone.
ASSAY_HOST_DEVICE inline HalfPair HalvesOf(uint32_t unit, int pair,
                                           Float8E4M3FNCodec /*type*/) {
  const uint32_t codes = unit >> (16 * pair);
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 890
  return {Float8E4M3FNCodec::DecodePair(codes)};
#else
  const uint32_t low =
      EncodeMinifloat<Float16Format>(Float8E4M3FNCodec::Decode(codes));
  const uint32_t high =
      EncodeMinifloat<Float16Format>(Float8E4M3FNCodec::Decode(codes >> 8));
  return {low | (high << 16)};
#endif
}

// The upper bytes of float16: those of every second value are in place.
ASSAY_HOST_DEVICE inline HalfPair HalvesOf(uint32_t unit, int pair,
                                           Float8E5M2Codec /*type*/) {
  return {(unit << (8 * pair)) & 0xFF00FF00U};
}

// The code of the largest finite float16 that is not above a number that is
// not negative.
ASSAY_HOST_DEVICE inline uint32_t HalfDown(float value) {
  constexpr uint32_t kLargest = 0x7BFF;
  const uint32_t code = EncodeMinifloat<Float16Format>(value);
  if (code > kLargest) return kLargest;
  return DecodeMinifloat<Float16Format>(code) > value ? code - 1 : code;
}

// Errors here are differences of float16, rounded. That and the rounding of
// products is by 2^-11 of the result at most, and by 2^-9 where it is
// subnormal, as the smallest error of either type is 2^-16. Factors are lowered
// by more than all of it.
template <typename Codec>
class HalfScreen {
 public:
  ASSAY_HOST_DEVICE explicit HalfScreen(const Limits<float>& limits)
      : atol_(Lowered(limits.atol)), rtol_(Lowered(limits.rtol)) {
    Raise(0, 0);
  }

  // False if a value is not finite.
  ASSAY_HOST_DEVICE bool Passes(uint32_t got, uint32_t want) const {
    return PairPasses(HalvesOf(got, 0, Codec{}), HalvesOf(want, 0, Codec{})) &
           PairPasses(HalvesOf(got, 1, Codec{}), HalvesOf(want, 1, Codec{}));
  }

  ASSAY_HOST_DEVICE void Raise(float max_abs, float max_rel) {
    const uint32_t abs = HalfDown(max_abs);
    max_abs_ = BothHalves(abs);
    below_max_abs_ = BothHalves(abs > 0 ? abs - 1 : 0);
    max_rel_ = Lowered(max_rel);
    max_of_zero_ = BothHalves(LargestOfZero(max_rel));
  }

 private:
  static constexpr uint32_t kOneHalf = 0x3800;

  ASSAY_HOST_DEVICE static HalfPair Lowered(float factor) {
    const auto finite = Smaller(factor, kLargestFinite<float>);
    return BothHalves(HalfDown(finite * (1 - 0x1p-7F)));
  }

  // The largest error of a value that should be 0, of which there may be many,
  // that does not raise the maximum. It stands for what kRelativeEpsilon adds
  // to other divisors, a thousandth of them at most: less than is lowered.
  ASSAY_HOST_DEVICE static uint32_t LargestOfZero(float max_rel) {
    constexpr auto kDivisor = static_cast<float>(kRelativeEpsilon);
    const auto finite = Smaller(max_rel, kLargestFinite<float>);
    const uint32_t code = HalfDown(MultiplyDown(finite, kDivisor));
    const float next = DecodeMinifloat<Float16Format>(code + 1);
    return next / kDivisor <= finite ? code + 1 : code;
  }

  ASSAY_HOST_DEVICE bool PairPasses(HalfPair got, HalfPair want) const {
    const HalfPair error = Magnitudes(Difference(got, want));
    const HalfPair size = Magnitudes(want);
    const HalfPair raises_rel = MultiplyAdd(size, max_rel_, max_of_zero_);
    const HalfPair is_wrong = Larger(atol_, Product(size, rtol_));
    // An error that was rounded may be larger than it looks. It is that of two
    // values one of which is more than 64 times the other, so it is above half
    // of `want`.
    const HalfPair half_want = Product(size, BothHalves(kOneHalf));
    const HalfPair raises_abs =
        Smaller(max_abs_, Larger(below_max_abs_, half_want));
    return NoneAbove(error, Smaller(Smaller(raises_rel, is_wrong), raises_abs));
  }

  HalfPair atol_;
  HalfPair rtol_;
  HalfPair max_abs_;
  HalfPair below_max_abs_;
  HalfPair max_rel_;
  HalfPair max_of_zero_;
};

}  // namespace assay::measure

#endif  // ASSAY_KERNELS_MEASURE_HALF_SCREEN_H_
