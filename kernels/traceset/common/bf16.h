// bfloat16 on the CPU: stored as its 16 bits, computed with as float.
#pragma once

#include <cstdint>
#include <cstring>

namespace assay {

struct Bf16 {
  uint16_t bits;
};

inline float ToFloat(float value) { return value; }

inline float ToFloat(Bf16 value) {
  const uint32_t bits = static_cast<uint32_t>(value.bits) << 16;
  float result;
  std::memcpy(&result, &bits, sizeof(result));
  return result;
}

inline void Assign(float value, float* out) { *out = value; }

// Rounds to nearest, ties to even. A NaN stays a NaN: without the test the
// rounding carry could turn it into an infinity.
inline void Assign(float value, Bf16* out) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  const bool is_nan = (bits & 0x7fffffffu) > 0x7f800000u;
  bits += 0x7fffu + ((bits >> 16) & 1u);
  out->bits = is_nan ? uint16_t{0x7fc0} : static_cast<uint16_t>(bits >> 16);
}

}  // namespace assay
