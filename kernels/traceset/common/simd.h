// Sixteen floats at a time, in GCC and Clang vector extensions: one zmm
// register with AVX-512, two ymm with AVX2, four xmm or NEON registers
// elsewhere. The same source is fast on all of them.
#pragma once

#include <cstdint>
#include <cstring>

#include "bf16.h"

#define ASSAY_INLINE static inline __attribute__((always_inline))

namespace assay {

constexpr int kLanes = 16;

typedef float F32x16 __attribute__((vector_size(64)));
typedef int32_t I32x16 __attribute__((vector_size(64)));
typedef uint32_t U32x16 __attribute__((vector_size(64)));
typedef uint16_t U16x16 __attribute__((vector_size(32)));

ASSAY_INLINE F32x16 Splat(float value) { return value - F32x16{}; }

ASSAY_INLINE F32x16 Load(const float* source) {
  F32x16 value;
  std::memcpy(&value, source, sizeof(value));
  return value;
}

ASSAY_INLINE F32x16 Load(const Bf16* source) {
  U16x16 half;
  std::memcpy(&half, source, sizeof(half));
  return (F32x16)(__builtin_convertvector(half, U32x16) << 16);
}

ASSAY_INLINE void Store(F32x16 value, float* target) {
  std::memcpy(target, &value, sizeof(value));
}

// Rounds to nearest even. A NaN is kept: see Assign in bf16.h.
ASSAY_INLINE void Store(F32x16 value, Bf16* target) {
  const U32x16 bits = (U32x16)value;
  const U32x16 rounded = (bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16;
  const I32x16 is_nan = (bits & 0x7fffffffu) > 0x7f800000u;
  const U32x16 kept = is_nan ? U32x16{} + 0x7fc0u : rounded;
  const U16x16 half = __builtin_convertvector(kept, U16x16);
  std::memcpy(target, &half, sizeof(half));
}

ASSAY_INLINE F32x16 Max(F32x16 a, F32x16 b) { return a > b ? a : b; }
ASSAY_INLINE F32x16 Min(F32x16 a, F32x16 b) { return a < b ? a : b; }

ASSAY_INLINE float ReduceSum(F32x16 value) {
  float lane[kLanes];
  Store(value, lane);
  for (int width = kLanes / 2; width > 0; width /= 2) {
    for (int i = 0; i < width; ++i) lane[i] += lane[i + width];
  }
  return lane[0];
}

ASSAY_INLINE float ReduceMax(F32x16 value) {
  float lane[kLanes];
  Store(value, lane);
  for (int width = kLanes / 2; width > 0; width /= 2) {
    for (int i = 0; i < width; ++i) {
      lane[i] = lane[i] > lane[i + width] ? lane[i] : lane[i + width];
    }
  }
  return lane[0];
}

// 2^x within 3e-7 relative; arguments outside [-126, 127] are clamped, so that
// 2^-inf is 1e-38 and not exactly zero. std::exp2 is a call per element, which
// the compiler may not vectorise.
ASSAY_INLINE F32x16 Exp2(F32x16 x) {
  x = Min(Max(x, Splat(-126.0f)), Splat(127.0f));
  // Adding 1.5 * 2^23 leaves the nearest integer in the low mantissa bits.
  const F32x16 magic = Splat(12582912.0f);
  const F32x16 shifted = x + magic;
  const I32x16 integer = (I32x16)shifted - (I32x16)magic;
  const F32x16 f = x - (shifted - magic);  // in [-0.5, 0.5]
  F32x16 p = Splat(1.5403530e-4f);         // ln(2)^k / k!, k = 6 ... 0
  p = p * f + 1.3333558e-3f;
  p = p * f + 9.6181291e-3f;
  p = p * f + 5.5504109e-2f;
  p = p * f + 2.4022651e-1f;
  p = p * f + 6.9314718e-1f;
  p = p * f + 1.0f;
  return (F32x16)((I32x16)p + (integer << 23));
}

ASSAY_INLINE F32x16 Exp(F32x16 x) { return Exp2(x * 1.44269504f); }

}  // namespace assay
