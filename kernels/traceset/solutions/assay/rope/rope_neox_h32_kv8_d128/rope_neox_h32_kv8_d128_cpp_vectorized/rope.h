// Rotary position embedding in vectors of sixteen pairs. A vector of cosines
// and sines is loaded once and turns that part of every head of the token.
#pragma once

#include <cstdint>
#include <cstring>

#include "bf16.h"
#include "simd.h"

namespace assay {

// The pair is two neighbours, or one element from each half of the head.
enum class Pairing { kHalves, kNeighbours };

// Turns pairs i ... i + 15 of one head.
template <Pairing kPairing>
ASSAY_INLINE void TurnPairs(const Bf16* x, int64_t half, int64_t i, F32x16 cos,
                            F32x16 sin, Bf16* y) {
  if (kPairing == Pairing::kHalves) {
    const F32x16 a = Load(x + i);
    const F32x16 b = Load(x + half + i);
    Store(a * cos - b * sin, y + i);
    Store(b * cos + a * sin, y + half + i);
  } else {
    // Read as 32-bit words, a pair is one lane: its first element is the low
    // half, and a float is a bfloat16 in the high half.
    U32x16 pairs;
    std::memcpy(&pairs, x + 2 * i, sizeof(pairs));
    const F32x16 a = (F32x16)(pairs << 16);
    const F32x16 b = (F32x16)(pairs & 0xffff0000u);
    Bf16 first[kLanes], second[kLanes];
    Store(a * cos - b * sin, first);
    Store(b * cos + a * sin, second);
    U16x16 low, high;
    std::memcpy(&low, first, sizeof(low));
    std::memcpy(&high, second, sizeof(high));
    pairs = __builtin_convertvector(low, U32x16) |
            (__builtin_convertvector(high, U32x16) << 16);
    std::memcpy(y + 2 * i, &pairs, sizeof(pairs));
  }
}

// head_dim is a multiple of 2 * kLanes.
template <Pairing kPairing>
void Rope(const Bf16* x, const float* cache, const int64_t* positions,
          int64_t tokens, int64_t heads, int64_t head_dim, Bf16* y) {
  const int64_t half = head_dim / 2;
  for (int64_t t = 0; t < tokens; ++t) {
    const float* row = cache + positions[t] * head_dim;
    for (int64_t i = 0; i < half; i += kLanes) {
      const F32x16 cos = Load(row + i);
      const F32x16 sin = Load(row + half + i);
      for (int64_t h = 0; h < heads; ++h) {
        const int64_t head = (t * heads + h) * head_dim;
        TurnPairs<kPairing>(x + head, half, i, cos, sin, y + head);
      }
    }
  }
}

}  // namespace assay
