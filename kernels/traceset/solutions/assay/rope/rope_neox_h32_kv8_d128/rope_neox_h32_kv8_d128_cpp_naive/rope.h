// Rotary position embedding, one pair of elements after the other. Pair i of a
// head turns by the angle whose cosine and sine are elements i and i + half of
// the token's row in the cache.
#pragma once

#include <cstdint>

#include "bf16.h"

namespace assay {

// The pair is two neighbours, or one element from each half of the head.
enum class Pairing { kHalves, kNeighbours };

template <Pairing kPairing>
void Rope(const Bf16* x, const float* cache, const int64_t* positions,
          int64_t tokens, int64_t heads, int64_t head_dim, Bf16* y) {
  const int64_t half = head_dim / 2;
  for (int64_t t = 0; t < tokens; ++t) {
    const float* cos = cache + positions[t] * head_dim;
    const float* sin = cos + half;
    for (int64_t h = 0; h < heads; ++h, x += head_dim, y += head_dim) {
      for (int64_t i = 0; i < half; ++i) {
        const int64_t first = kPairing == Pairing::kHalves ? i : 2 * i;
        const int64_t second =
            kPairing == Pairing::kHalves ? i + half : 2 * i + 1;
        const float a = ToFloat(x[first]);
        const float b = ToFloat(x[second]);
        Assign(a * cos[i] - b * sin[i], &y[first]);
        Assign(b * cos[i] + a * sin[i], &y[second]);
      }
    }
  }
}

}  // namespace assay
