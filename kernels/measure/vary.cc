#include "kernels/measure/vary.h"

#include "kernels/measure/varied_value.h"

namespace assay::measure {
namespace {

template <typename Codec>
bool VaryAll(const void* stored, void* varied, size_t count,
             const RandomStream& stream) {
  using Code = typename CodeInMemory<Codec>::Type;
  for (uint64_t block = 0; block * 4 < count; ++block) {
    VaryBlock<Codec>(static_cast<const Code*>(stored),
                     static_cast<Code*>(varied), count, block, stream);
  }
  return true;
}

}  // namespace

bool CanVary(ElementType type) {
  return IsFloatingPoint(type) && ValuesPerElement(type) == 1;
}

bool Vary(ElementType type, const void* stored, void* varied, size_t count,
          const Key& key, uint32_t stream) {
  const RandomStream words = MakeStream(key, Domain::kVaried, stream);
  switch (type) {
    case ElementType::kFloat64:
      return VaryAll<Float64Codec>(stored, varied, count, words);
    case ElementType::kFloat32:
      return VaryAll<Float32Codec>(stored, varied, count, words);
    case ElementType::kFloat16:
      return VaryAll<Float16Codec>(stored, varied, count, words);
    case ElementType::kBFloat16:
      return VaryAll<BFloat16Codec>(stored, varied, count, words);
    case ElementType::kFloat8E4M3FN:
      return VaryAll<Float8E4M3FNCodec>(stored, varied, count, words);
    case ElementType::kFloat8E5M2:
      return VaryAll<Float8E5M2Codec>(stored, varied, count, words);
    default:
      return false;
  }
}

}  // namespace assay::measure
