// Sixteen bytes of a tensor, and the values in them. Internal to this folder.
// For CUDA, which reads memory in such vectors; the CPU compiles it for tests.
//
// A vector is made of units: its 4 words of 32 bits, or 2 of 64 for the types
// of 8 bytes. A codec says what the values of a unit are:
//
//   Value                   type of a value
//   Unit                    uint32_t or uint64_t
//   kBits                   bits of a value within the unit
//   static Value Decode(Unit code)   the value in the lowest kBits bits

#ifndef ASSAY_KERNELS_MEASURE_VECTOR_CODEC_H_
#define ASSAY_KERNELS_MEASURE_VECTOR_CODEC_H_

#include <cstdint>

#include "kernels/measure/attributes.h"
#include "kernels/measure/minifloat.h"

namespace assay::measure {

struct alignas(16) Vector {
  uint32_t words[4];
};

inline constexpr int kVectorBytes = 16;

ASSAY_HOST_DEVICE inline bool Differ(const Vector& a, const Vector& b) {
  return ((a.words[0] ^ b.words[0]) | (a.words[1] ^ b.words[1]) |
          (a.words[2] ^ b.words[2]) | (a.words[3] ^ b.words[3])) != 0;
}

// Not by index: what an unknown index reads cannot stay in registers.
ASSAY_HOST_DEVICE inline uint32_t UnitOf(const Vector& vector, int unit,
                                         uint32_t /*type*/) {
  const uint32_t low = unit == 0 ? vector.words[0] : vector.words[1];
  const uint32_t high = unit == 2 ? vector.words[2] : vector.words[3];
  return unit < 2 ? low : high;
}

ASSAY_HOST_DEVICE inline uint64_t UnitOf(const Vector& vector, int unit,
                                         uint64_t /*type*/) {
  const uint32_t low = unit == 0 ? vector.words[0] : vector.words[2];
  const uint32_t high = unit == 0 ? vector.words[1] : vector.words[3];
  return (static_cast<uint64_t>(high) << 32) | low;
}

template <typename Codec>
struct VectorShape {
  static constexpr int kUnitBytes = sizeof(typename Codec::Unit);
  static constexpr int kUnits = kVectorBytes / kUnitBytes;
  static constexpr int kValuesPerUnit = kUnitBytes * 8 / Codec::kBits;
  static constexpr int kValues = kUnits * kValuesPerUnit;
};

// Bytes of an element; one of float4 has two values.
template <typename Codec>
ASSAY_HOST_DEVICE constexpr uint64_t ElementBytesOf() {
  return Codec::kBits < 8 ? 1 : Codec::kBits / 8;
}

struct Float64Codec {
  using Value = double;
  using Unit = uint64_t;
  static constexpr int kBits = 64;
  ASSAY_HOST_DEVICE static double Decode(uint64_t code) {
    return BitCast<double>(code);
  }
};

struct Float32Codec {
  using Value = float;
  using Unit = uint32_t;
  static constexpr int kBits = 32;
  ASSAY_HOST_DEVICE static float Decode(uint32_t code) {
    return BitCast<float>(code);
  }
};

struct Float16Codec {
  using Value = float;
  using Unit = uint32_t;
  static constexpr int kBits = 16;
  ASSAY_HOST_DEVICE static float Decode(uint32_t code) {
#if defined(__CUDA_ARCH__)
    float value;
    asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(static_cast<uint16_t>(code)));
    return value;
#else
    return DecodeMinifloat<Float16Format>(code);
#endif
  }
};

struct BFloat16Codec {
  using Value = float;
  using Unit = uint32_t;
  static constexpr int kBits = 16;
  ASSAY_HOST_DEVICE static float Decode(uint32_t code) {
    return BitCast<float>(code << 16);
  }
};

struct Float8E4M3FNCodec {
  using Value = float;
  using Unit = uint32_t;
  static constexpr int kBits = 8;
  ASSAY_HOST_DEVICE static float Decode(uint32_t code) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 890
    return Float16Codec::Decode(DecodePair(code));
#else
    return DecodeMinifloat<Float8E4M3FNFormat>(code);
#endif
  }
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 890
  // Two values, as float16, which hold them exactly.
  __device__ static uint32_t DecodePair(uint32_t codes) {
    uint32_t halves;
    asm("cvt.rn.f16x2.e4m3x2 %0, %1;"
        : "=r"(halves)
        : "h"(static_cast<uint16_t>(codes)));
    return halves;
  }
#endif
};

// The upper byte of a float16.
struct Float8E5M2Codec {
  using Value = float;
  using Unit = uint32_t;
  static constexpr int kBits = 8;
  ASSAY_HOST_DEVICE static float Decode(uint32_t code) {
    return Float16Codec::Decode((code & 0xFFU) << 8);
  }
};

struct Float4E2M1FNCodec {
  using Value = float;
  using Unit = uint32_t;
  static constexpr int kBits = 4;
  ASSAY_HOST_DEVICE static float Decode(uint32_t code) {
    // As the exponent and mantissa of a tiny float32, subnormal ones included,
    // and then to scale: GPUs take no longer over subnormal operands.
    const float size = BitCast<float>((code & 7U) << 22) * 0x1p126F;
    return BitCast<float>(BitCast<uint32_t>(size) | ((code & 8U) << 28));
  }
};

template <typename T>
struct IntegerCodec {
  using Value = T;
  using Unit = uint32_t;
  static constexpr int kBits = sizeof(T) * 8;
  ASSAY_HOST_DEVICE static T Decode(uint32_t code) {
    return static_cast<T>(code);
  }
};

template <>
struct IntegerCodec<int64_t> {
  using Value = int64_t;
  using Unit = uint64_t;
  static constexpr int kBits = 64;
  ASSAY_HOST_DEVICE static int64_t Decode(uint64_t code) {
    return static_cast<int64_t>(code);
  }
};

// All values of a unit.
template <typename Codec>
ASSAY_HOST_DEVICE inline void DecodeUnit(typename Codec::Unit unit,
                                         typename Codec::Value* out) {
  for (int i = 0; i < VectorShape<Codec>::kValuesPerUnit; ++i) {
    out[i] = Codec::Decode(unit >> (i * Codec::kBits));
  }
}

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 890
template <>
__device__ inline void DecodeUnit<Float8E4M3FNCodec>(uint32_t unit,
                                                     float* out) {
  for (int i = 0; i < 4; i += 2) {
    const uint32_t halves = Float8E4M3FNCodec::DecodePair(unit >> (i * 8));
    out[i] = Float16Codec::Decode(halves);
    out[i + 1] = Float16Codec::Decode(halves >> 16);
  }
}
#endif

}  // namespace assay::measure

#endif  // ASSAY_KERNELS_MEASURE_VECTOR_CODEC_H_
