// The values of the types of 4 and 8 bits as pairs of float16, which hold them
// exactly. Internal to this folder.
//
//   HalvesOf<Codec>::kScale            the value that is held as 1
//   HalvesOf<Codec>::Decode(unit, i)   pair number i of a unit's values
//
// A unit has its values in pairs in an order of its own, the same for all units
// of a type.

#ifndef ASSAY_KERNELS_MEASURE_HALF_CODEC_H_
#define ASSAY_KERNELS_MEASURE_HALF_CODEC_H_

#include <cstdint>

#include "kernels/measure/attributes.h"
#include "kernels/measure/half_pair.h"
#include "kernels/measure/minifloat.h"
#include "kernels/measure/vector_codec.h"

namespace assay::measure {

template <typename Codec>
struct HalvesOf;

template <>
struct HalvesOf<Float8E4M3FNCodec> {
  static constexpr float kScale = 1;
  ASSAY_HOST_DEVICE static HalfPair Decode(uint32_t unit, int i) {
    const uint32_t codes = unit >> (16 * i);
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 890
    return {Float8E4M3FNCodec::DecodePair(codes)};
#else
    const auto half = [](uint32_t code) {
      return EncodeMinifloat<Float16Format>(Float8E4M3FNCodec::Decode(code));
    };
    return {half(codes) | (half(codes >> 8) << 16)};
#endif
  }
};

// The upper bytes of float16: those of every second value are in place.
template <>
struct HalvesOf<Float8E5M2Codec> {
  static constexpr float kScale = 1;
  ASSAY_HOST_DEVICE static HalfPair Decode(uint32_t unit, int i) {
    return {(unit << (8 * i)) & 0xFF00FF00U};
  }
};

// The sign, and above zeros the exponent and the first bit of the mantissa: a
// float16 of a lower exponent, subnormal values included.
template <>
struct HalvesOf<Float4E2M1FNCodec> {
  static constexpr float kScale = 0x1p14F;
  ASSAY_HOST_DEVICE static HalfPair Decode(uint32_t unit, int i) {
    const uint32_t codes = unit << (4 * i);
    return {(codes & 0x80008000U) | ((codes >> 3) & 0x0E000E00U)};
  }
};

}  // namespace assay::measure

#endif  // ASSAY_KERNELS_MEASURE_HALF_CODEC_H_
