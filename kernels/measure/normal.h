// Normally distributed numbers from random words, the same bits on every
// processor.

#ifndef ASSAY_KERNELS_MEASURE_NORMAL_H_
#define ASSAY_KERNELS_MEASURE_NORMAL_H_

#include <cmath>
#include <cstdint>

#include "kernels/measure/attributes.h"
#include "kernels/measure/float_math.h"

namespace assay::measure {

// Two independent standard normal numbers (Box-Muller): the first word decides
// the radius, the second the angle. The radius uses 31 bits, so numbers reach
// sqrt(2 ln 2^31) = 6.56.
ASSAY_HOST_DEVICE inline void NormalPair(uint32_t radius_word,
                                         uint32_t angle_word, float out[2]) {
  // Odd, so never 0; in (0, 1] after scaling.
  const auto odd = static_cast<int32_t>((radius_word >> 1) | 1U);
  const float uniform = static_cast<float>(odd) * 0x1p-31F;
  const float radius = std::sqrt(-2.0F * Log(uniform));
  float sine;
  float cosine;
  SinCosTurn(angle_word, &sine, &cosine);
  out[0] = radius * cosine;
  out[1] = radius * sine;
}

// Fills the bits of a double that a normal float leaves empty, by a factor of
// 1 + e, |e| <= 2^-24, that changes no statistic of it.
ASSAY_HOST_DEVICE inline double WidenNormal(float normal, uint32_t low_word) {
  const double factor =
      1.0 + static_cast<double>(static_cast<int32_t>(low_word)) * 0x1p-55;
  return static_cast<double>(normal) * factor;
}

}  // namespace assay::measure

#endif  // ASSAY_KERNELS_MEASURE_NORMAL_H_
