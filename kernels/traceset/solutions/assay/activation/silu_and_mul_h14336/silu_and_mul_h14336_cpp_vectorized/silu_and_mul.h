// y = gate / (1 + exp(-gate)) * up in vectors of sixteen, with a polynomial for
// the exponential: the library's is a call per element.
//
// The kernel takes pointers and sizes and knows no framework; the bindings that
// include it add a signature each.
#pragma once

#include <cmath>
#include <cstdint>

#include "bf16.h"
#include "simd.h"

namespace assay {

inline void SiluAndMul(const Bf16* x, int64_t rows, int64_t size, Bf16* y) {
  for (int64_t r = 0; r < rows; ++r, x += 2 * size, y += size) {
    const Bf16* gate = x;
    const Bf16* up = x + size;
    int64_t i = 0;
    for (; i + kLanes <= size; i += kLanes) {
      const F32x16 g = Load(gate + i);
      Store(g / (1.0f + Exp(-g)) * Load(up + i), y + i);
    }
    for (; i < size; ++i) {
      const float g = ToFloat(gate[i]);
      Assign(g / (1.0f + std::exp(-g)) * ToFloat(up[i]), &y[i]);
    }
  }
}

}  // namespace assay
