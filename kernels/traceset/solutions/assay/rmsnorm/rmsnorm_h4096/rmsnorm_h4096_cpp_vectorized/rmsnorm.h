// RMSNorm in vectors of sixteen. Floating-point addition may not be reordered
// by the compiler, so a plain loop sums one element per add latency; four
// vector accumulators make 64 independent chains of it.
//
// The kernel takes pointers and sizes and knows no framework; the bindings that
// include it add a signature each.
#pragma once

#include <cmath>
#include <cstdint>

#include "bf16.h"
#include "simd.h"

namespace assay {

inline float SquareSum(const Bf16* x, int64_t count) {
  F32x16 sum[4] = {};
  int64_t i = 0;
  for (; i + 4 * kLanes <= count; i += 4 * kLanes) {
    for (int u = 0; u < 4; ++u) {
      const F32x16 value = Load(x + i + u * kLanes);
      sum[u] += value * value;
    }
  }
  float total = ReduceSum((sum[0] + sum[1]) + (sum[2] + sum[3]));
  for (; i < count; ++i) total += ToFloat(x[i]) * ToFloat(x[i]);
  return total;
}

inline void RmsNorm(const Bf16* x, const Bf16* weight, float eps, int64_t rows,
                    int64_t hidden_size, Bf16* y) {
  for (int64_t r = 0; r < rows; ++r, x += hidden_size, y += hidden_size) {
    const float mean_square = SquareSum(x, hidden_size) / hidden_size;
    const float scale = 1.0f / std::sqrt(mean_square + eps);
    int64_t i = 0;
    for (; i + kLanes <= hidden_size; i += kLanes) {
      Store(Load(x + i) * scale * Load(weight + i), y + i);
    }
    for (; i < hidden_size; ++i) {
      Assign(ToFloat(x[i]) * scale * ToFloat(weight[i]), &y[i]);
    }
  }
}

}  // namespace assay
