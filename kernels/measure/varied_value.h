// A value of a tensor, moved a little: what the CPU and CUDA compile from one
// source for vary.h. Internal to this folder.

#ifndef ASSAY_KERNELS_MEASURE_VARIED_VALUE_H_
#define ASSAY_KERNELS_MEASURE_VARIED_VALUE_H_

#include <cstdint>

#include "kernels/measure/attributes.h"
#include "kernels/measure/philox.h"
#include "kernels/measure/vector_codec.h"
#include "kernels/measure/vector_encode.h"

namespace assay::measure {

// The largest finite value of a type. What is larger processors round in
// different ways.
ASSAY_HOST_DEVICE constexpr double Largest(Float64Codec /*codec*/) {
  return 0x1.fffffffffffffp1023;
}
ASSAY_HOST_DEVICE constexpr float Largest(Float32Codec /*codec*/) {
  return 0x1.fffffep127F;
}
ASSAY_HOST_DEVICE constexpr float Largest(Float16Codec /*codec*/) {
  return 65504;
}
ASSAY_HOST_DEVICE constexpr float Largest(BFloat16Codec /*codec*/) {
  return 0x1.fep127F;
}
ASSAY_HOST_DEVICE constexpr float Largest(Float8E4M3FNCodec /*codec*/) {
  return 448;
}
ASSAY_HOST_DEVICE constexpr float Largest(Float8E5M2Codec /*codec*/) {
  return 57344;
}

// The code of a value, times 1 + u / 8 with u in [-1, 1) from a random word.
// Zeros, infinities and NaN stay, and so does what would become one.
template <typename Codec>
ASSAY_HOST_DEVICE inline typename Codec::Unit VariedCode(
    typename Codec::Unit code, uint32_t word) {
  using Unit = typename Codec::Unit;
  using Value = typename Codec::Value;
  // Exact but for the addition: no processor can do it in another way.
  const Value share =
      static_cast<Value>(static_cast<int32_t>(word)) * Value{0x1p-34};
  const Value varied = Codec::Decode(code) * (Value{1} + share);
  const Value magnitude = varied < 0 ? -varied : varied;
  if (!(magnitude <= Largest(Codec()))) return code;
  const Unit result = Encode(Codec(), varied);
  constexpr Unit kSign = Unit{1} << (Codec::kBits - 1);
  return (result & (kSign - 1)) == 0 ? code : result;
}

// Element types as they lie in memory.
template <typename Codec>
struct CodeInMemory;
template <>
struct CodeInMemory<Float64Codec> {
  using Type = uint64_t;
};
template <>
struct CodeInMemory<Float32Codec> {
  using Type = uint32_t;
};
template <>
struct CodeInMemory<Float16Codec> {
  using Type = uint16_t;
};
template <>
struct CodeInMemory<BFloat16Codec> {
  using Type = uint16_t;
};
template <>
struct CodeInMemory<Float8E4M3FNCodec> {
  using Type = uint8_t;
};
template <>
struct CodeInMemory<Float8E5M2Codec> {
  using Type = uint8_t;
};

// Varies elements 4 * block to 4 * block + 3, as far as there are any.
template <typename Codec>
ASSAY_HOST_DEVICE inline void VaryBlock(
    const typename CodeInMemory<Codec>::Type* stored,
    typename CodeInMemory<Codec>::Type* varied, uint64_t count, uint64_t block,
    const RandomStream& stream) {
  uint32_t words[4];
  stream.Block(block, words);
  for (int i = 0; i < 4; ++i) {
    const uint64_t index = block * 4 + static_cast<uint64_t>(i);
    if (index >= count) return;
    varied[index] = static_cast<typename CodeInMemory<Codec>::Type>(
        VariedCode<Codec>(stored[index], words[i]));
  }
}

}  // namespace assay::measure

#endif  // ASSAY_KERNELS_MEASURE_VARIED_VALUE_H_
