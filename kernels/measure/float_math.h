// log, exp, sine and cosine in float32 from correctly rounded operations alone,
// so that every processor computes the same bits. The C library and CUDA have
// more exact ones, which differ from each other in the last bit.
//
// The polynomials interpolate at Chebyshev nodes; the errors named are those
// of the polynomial and its rounded coefficients.

#ifndef ASSAY_KERNELS_MEASURE_FLOAT_MATH_H_
#define ASSAY_KERNELS_MEASURE_FLOAT_MATH_H_

#include <cstdint>

#include "kernels/measure/attributes.h"
#include "kernels/measure/minifloat.h"

namespace assay::measure {

// a * b + c, rounded twice. nvcc would fuse it; the CPU code is compiled with
// -ffp-contract=off. No CUDA code that includes this may be compiled with
// --use_fast_math, which gives up correct rounding.
ASSAY_HOST_DEVICE inline float MulAdd(float a, float b, float c) {
#if defined(__CUDA_ARCH__)
  return __fadd_rn(__fmul_rn(a, b), c);
#else
  return a * b + c;
#endif
}

// ln 2 in two parts: a multiple of up to 2^13 of the first is exact.
inline constexpr float kLn2High = 0.692871094F;
inline constexpr float kLn2Low = 0.000276086823F;

// ln(x) of a positive, normal x. Relative error below 2^-22.
ASSAY_HOST_DEVICE inline float Log(float x) {
  // x = m * 2^e with m in [sqrt(1/2), sqrt(2)).
  constexpr uint32_t kSqrtHalf = 0x3F3504F3;
  const auto bits = BitCast<uint32_t>(x);
  const auto above = static_cast<int32_t>(bits - kSqrtHalf);
  const int32_t e = above >> 23;
  const float t =
      BitCast<float>(bits - (static_cast<uint32_t>(e) << 23)) - 1.0F;
  // (ln(1 + t) - t) / t^2.
  float p = 0.0878726542F;
  p = MulAdd(p, t, -0.141596466F);
  p = MulAdd(p, t, 0.14834787F);
  p = MulAdd(p, t, -0.165884882F);
  p = MulAdd(p, t, 0.199720502F);
  p = MulAdd(p, t, -0.250011474F);
  p = MulAdd(p, t, 0.333336711F);
  p = MulAdd(p, t, -0.49999997F);
  const auto exponent = static_cast<float>(e);
  const float low = MulAdd(t * t, p, exponent * kLn2Low);
  return MulAdd(exponent, kLn2High, t + low);
}

// e^x for x <= 0; 0 below -87, where float32 runs out of normal numbers.
// Relative error below 2^-22.
ASSAY_HOST_DEVICE inline float ExpOfNonPositive(float x) {
  const float bounded = x < -87.0F ? -87.0F : x;
  // n = bounded / ln 2 rounded to an integer: adding 1.5 * 2^23 leaves no bit
  // for a fraction, and n in the low bits.
  constexpr float kRounder = 12582912.0F;
  const float shifted = MulAdd(bounded, 1.44269502F, kRounder);
  const float n = shifted - kRounder;
  const float r = MulAdd(n, -kLn2Low, MulAdd(n, -kLn2High, bounded));
  // (e^r - 1 - r) / r^2.
  float p = 0.00139261759F;
  p = MulAdd(p, r, 0.00836317334F);
  p = MulAdd(p, r, 0.0416665561F);
  p = MulAdd(p, r, 0.166665778F);
  p = MulAdd(p, r, 0.5F);
  const float power = MulAdd(r * r, p, r) + 1.0F;
  const uint32_t scale =
      BitCast<uint32_t>(shifted) - BitCast<uint32_t>(kRounder);
  const auto value = BitCast<float>(BitCast<uint32_t>(power) + (scale << 23));
  return x < -87.0F ? 0.0F : value;
}

// Sine and cosine of a full turn times turn / 2^32. Error below 2^-23.
ASSAY_HOST_DEVICE inline void SinCosTurn(uint32_t turn, float* sine,
                                         float* cosine) {
  // The nearest quarter turn, and the rest: up to an eighth of a turn either
  // way, as a signed fraction of a quarter.
  const uint32_t quarter = (turn + 0x20000000U) >> 30;
  const auto rest = static_cast<int32_t>(turn << 2);
  const float f = 0x1p-32F * static_cast<float>(rest);
  const float z = f * f;
  // sin(f * pi / 2) / f and cos(f * pi / 2), over f^2.
  float s = -0.00460214913F;
  s = MulAdd(s, z, 0.0796802193F);
  s = MulAdd(s, z, -0.64596349F);
  s = MulAdd(s, z, 1.57079637F);
  s *= f;
  float c = -0.0204081591F;
  c = MulAdd(c, z, 0.253598571F);
  c = MulAdd(c, z, -1.23369706F);
  c = MulAdd(c, z, 1.0F);
  const bool swapped = (quarter & 1U) != 0;
  const float sine_size = swapped ? c : s;
  const float cosine_size = swapped ? s : c;
  const uint32_t sine_sign = (quarter & 2U) << 30;
  const uint32_t cosine_sign = ((quarter + 1U) & 2U) << 30;
  *sine = BitCast<float>(BitCast<uint32_t>(sine_size) ^ sine_sign);
  *cosine = BitCast<float>(BitCast<uint32_t>(cosine_size) ^ cosine_sign);
}

}  // namespace assay::measure

#endif  // ASSAY_KERNELS_MEASURE_FLOAT_MATH_H_
