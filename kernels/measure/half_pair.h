// Arithmetic on two float16 at a time, in one word. Internal to this folder.
// One instruction each for CUDA; the CPU computes the same for tests, except
// that MultiplyAdd may round twice there.
//
//   const HalfPair error = Magnitudes(Difference(got, want));
//   if (!NoneAbove(error, limit)) ...

#ifndef ASSAY_KERNELS_MEASURE_HALF_PAIR_H_
#define ASSAY_KERNELS_MEASURE_HALF_PAIR_H_

#if defined(__CUDACC__)
#include <cuda_fp16.h>
#endif

#include <cmath>
#include <cstdint>

#include "kernels/measure/attributes.h"
#include "kernels/measure/minifloat.h"

namespace assay::measure {

struct HalfPair {
  uint32_t bits;
};

// The same float16 twice, by its code.
ASSAY_HOST_DEVICE inline HalfPair BothHalves(uint32_t code) {
  return {code | (code << 16)};
}

#if !defined(__CUDA_ARCH__)
// For tests: applies an operation on doubles to both halves of its operands.
template <typename Operation, typename... Pairs>
inline HalfPair EachHalf(Operation operation, Pairs... pairs) {
  uint32_t bits = 0;
  for (int shift = 0; shift < 32; shift += 16) {
    const double result = operation(static_cast<double>(
        DecodeMinifloat<Float16Format>(pairs.bits >> shift))...);
    bits |= EncodeMinifloat<Float16Format>(result) << shift;
  }
  return {bits};
}
#else
__device__ inline __half2 AsHalf2(HalfPair pair) {
  return BitCast<__half2>(pair.bits);
}

__device__ inline HalfPair AsPair(__half2 pair) {
  return {BitCast<uint32_t>(pair)};
}
#endif

ASSAY_HOST_DEVICE inline HalfPair Magnitudes(HalfPair a) {
#if defined(__CUDA_ARCH__)
  // Known to the compiler as a modifier of an operand, unlike a mask.
  return AsPair(__habs2(AsHalf2(a)));
#else
  return {a.bits & 0x7FFF7FFFU};
#endif
}

ASSAY_HOST_DEVICE inline HalfPair Difference(HalfPair a, HalfPair b) {
#if defined(__CUDA_ARCH__)
  return AsPair(__hsub2(AsHalf2(a), AsHalf2(b)));
#else
  return EachHalf([](double x, double y) { return x - y; }, a, b);
#endif
}

ASSAY_HOST_DEVICE inline HalfPair Product(HalfPair a, HalfPair b) {
#if defined(__CUDA_ARCH__)
  return AsPair(__hmul2(AsHalf2(a), AsHalf2(b)));
#else
  return EachHalf([](double x, double y) { return x * y; }, a, b);
#endif
}

ASSAY_HOST_DEVICE inline HalfPair MultiplyAdd(HalfPair a, HalfPair b,
                                              HalfPair c) {
#if defined(__CUDA_ARCH__)
  return AsPair(__hfma2(AsHalf2(a), AsHalf2(b), AsHalf2(c)));
#else
  return EachHalf([](double x, double y, double z) { return x * y + z; }, a, b,
                  c);
#endif
}

// The one that is a number, if only one is.
ASSAY_HOST_DEVICE inline HalfPair Larger(HalfPair a, HalfPair b) {
#if defined(__CUDA_ARCH__)
  return AsPair(__hmax2(AsHalf2(a), AsHalf2(b)));
#else
  return EachHalf([](double x, double y) { return std::fmax(x, y); }, a, b);
#endif
}

ASSAY_HOST_DEVICE inline HalfPair Smaller(HalfPair a, HalfPair b) {
#if defined(__CUDA_ARCH__)
  return AsPair(__hmin2(AsHalf2(a), AsHalf2(b)));
#else
  return EachHalf([](double x, double y) { return std::fmin(x, y); }, a, b);
#endif
}

// Whether both halves of `a` are at most those of `b`; false for NaN.
ASSAY_HOST_DEVICE inline bool NoneAbove(HalfPair a, HalfPair b) {
#if defined(__CUDA_ARCH__)
  return __hble2(AsHalf2(a), AsHalf2(b));
#else
  bool none = true;
  for (int shift = 0; shift < 32; shift += 16) {
    none &= DecodeMinifloat<Float16Format>(a.bits >> shift) <=
            DecodeMinifloat<Float16Format>(b.bits >> shift);
  }
  return none;
#endif
}

}  // namespace assay::measure

#endif  // ASSAY_KERNELS_MEASURE_HALF_PAIR_H_
