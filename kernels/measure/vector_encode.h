// Values made into vectors of 16 bytes. Internal to this folder. For CUDA,
// which writes memory in such vectors; the CPU compiles it for tests.

#ifndef ASSAY_KERNELS_MEASURE_VECTOR_ENCODE_H_
#define ASSAY_KERNELS_MEASURE_VECTOR_ENCODE_H_

#include <cstdint>

#include "kernels/measure/attributes.h"
#include "kernels/measure/minifloat.h"
#include "kernels/measure/vector_codec.h"

namespace assay::measure {

// The nearest code of a finite value that is in the range of the type: there
// the conversions of the hardware agree with EncodeMinifloat.
ASSAY_HOST_DEVICE inline uint32_t Encode(Float32Codec /*codec*/, float value) {
  return BitCast<uint32_t>(value);
}

ASSAY_HOST_DEVICE inline uint32_t Encode(Float16Codec /*codec*/, float value) {
#if defined(__CUDA_ARCH__)
  uint16_t code;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(code) : "f"(value));
  return code;
#else
  return EncodeMinifloat<Float16Format>(value);
#endif
}

ASSAY_HOST_DEVICE inline uint32_t Encode(BFloat16Codec /*codec*/, float value) {
#if defined(__CUDA_ARCH__)
  uint16_t code;
  asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(code) : "f"(value));
  return code;
#else
  return EncodeMinifloat<BFloat16Format>(value);
#endif
}

ASSAY_HOST_DEVICE inline uint32_t Encode(Float8E4M3FNCodec /*codec*/,
                                         float value) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 890
  uint16_t codes;
  asm("cvt.rn.satfinite.e4m3x2.f32 %0, %1, %2;"
      : "=h"(codes)
      : "f"(0.0F), "f"(value));
  return codes;
#else
  return EncodeMinifloat<Float8E4M3FNFormat>(value);
#endif
}

ASSAY_HOST_DEVICE inline uint32_t Encode(Float8E5M2Codec /*codec*/,
                                         float value) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 890
  uint16_t codes;
  asm("cvt.rn.satfinite.e5m2x2.f32 %0, %1, %2;"
      : "=h"(codes)
      : "f"(0.0F), "f"(value));
  return codes;
#else
  return EncodeMinifloat<Float8E5M2Format>(value);
#endif
}

ASSAY_HOST_DEVICE inline uint32_t Encode(Float4E2M1FNCodec /*codec*/,
                                         float value) {
  return EncodeMinifloat<Float4E2M1FNFormat>(value);
}

ASSAY_HOST_DEVICE inline uint64_t Encode(Float64Codec /*codec*/, double value) {
  return BitCast<uint64_t>(value);
}

template <typename T>
ASSAY_HOST_DEVICE inline typename IntegerCodec<T>::Unit Encode(
    IntegerCodec<T> /*codec*/, T value) {
  using Unit = typename IntegerCodec<T>::Unit;
  constexpr int kSpareBits = sizeof(Unit) * 8 - IntegerCodec<T>::kBits;
  // The bits above those of the value are 0.
  return static_cast<Unit>(value) & (~Unit{0} >> kSpareBits);
}

ASSAY_HOST_DEVICE inline void SetUnit(uint32_t unit, int index,
                                      Vector* vector) {
  vector->words[index] = unit;
}

ASSAY_HOST_DEVICE inline void SetUnit(uint64_t unit, int index,
                                      Vector* vector) {
  vector->words[2 * index] = static_cast<uint32_t>(unit);
  vector->words[2 * index + 1] = static_cast<uint32_t>(unit >> 32);
}

// The vector of VectorShape<Codec>::kValues values.
template <typename Codec>
ASSAY_HOST_DEVICE inline Vector EncodeVector(
    const typename Codec::Value* values) {
  using Shape = VectorShape<Codec>;
  Vector vector;
#if defined(__CUDA_ARCH__)
#pragma unroll
#endif
  for (int index = 0; index < Shape::kUnits; ++index) {
    const int first = index * Shape::kValuesPerUnit;
    typename Codec::Unit unit = 0;
#if defined(__CUDA_ARCH__)
#pragma unroll
#endif
    for (int i = 0; i < Shape::kValuesPerUnit; ++i) {
      unit |= Encode(Codec(), values[first + i]) << (i * Codec::kBits);
    }
    SetUnit(unit, index, &vector);
  }
  return vector;
}

}  // namespace assay::measure

#endif  // ASSAY_KERNELS_MEASURE_VECTOR_ENCODE_H_
