#include "kernels/measure/convert.h"

#include <cstdint>
#include <cstring>

#include "kernels/measure/attributes.h"
#include "kernels/measure/minifloat.h"

namespace assay::measure {
namespace {

// One loop per format: attributes for vector code do not go on templates.

ASSAY_VECTOR_CLONES
void DecodeFloat16(const char* data, size_t count, float* out) {
  for (size_t i = 0; i < count; ++i) {
    uint16_t code;
    std::memcpy(&code, data + i * sizeof(code), sizeof(code));
    out[i] = DecodeMinifloat<Float16Format>(code);
  }
}

ASSAY_VECTOR_CLONES
void DecodeBFloat16(const char* data, size_t count, float* out) {
  for (size_t i = 0; i < count; ++i) {
    uint16_t code;
    std::memcpy(&code, data + i * sizeof(code), sizeof(code));
    out[i] = BitCast<float>(static_cast<uint32_t>(code) << 16);
  }
}

ASSAY_VECTOR_CLONES
void DecodeFloat8E4M3FN(const char* data, size_t count, float* out) {
  for (size_t i = 0; i < count; ++i) {
    out[i] = DecodeMinifloat<Float8E4M3FNFormat>(static_cast<uint8_t>(data[i]));
  }
}

ASSAY_VECTOR_CLONES
void DecodeFloat8E5M2(const char* data, size_t count, float* out) {
  for (size_t i = 0; i < count; ++i) {
    out[i] = DecodeMinifloat<Float8E5M2Format>(static_cast<uint8_t>(data[i]));
  }
}

ASSAY_VECTOR_CLONES
void DecodeFloat4(const char* data, size_t count, float* out) {
  for (size_t i = 0; i < count; ++i) {
    const auto pair = static_cast<uint8_t>(data[i]);
    out[2 * i] = DecodeMinifloat<Float4E2M1FNFormat>(pair);
    out[2 * i + 1] = DecodeMinifloat<Float4E2M1FNFormat>(pair >> 4U);
  }
}

ASSAY_VECTOR_CLONES
void EncodeFloat16(const float* values, size_t count, char* data) {
  for (size_t i = 0; i < count; ++i) {
    const auto code =
        static_cast<uint16_t>(EncodeMinifloat<Float16Format>(values[i]));
    std::memcpy(data + i * sizeof(code), &code, sizeof(code));
  }
}

ASSAY_VECTOR_CLONES
void EncodeBFloat16(const float* values, size_t count, char* data) {
  for (size_t i = 0; i < count; ++i) {
    const auto code =
        static_cast<uint16_t>(EncodeMinifloat<BFloat16Format>(values[i]));
    std::memcpy(data + i * sizeof(code), &code, sizeof(code));
  }
}

ASSAY_VECTOR_CLONES
void EncodeFloat8E4M3FN(const float* values, size_t count, char* data) {
  for (size_t i = 0; i < count; ++i) {
    data[i] = static_cast<char>(EncodeMinifloat<Float8E4M3FNFormat>(values[i]));
  }
}

ASSAY_VECTOR_CLONES
void EncodeFloat8E5M2(const float* values, size_t count, char* data) {
  for (size_t i = 0; i < count; ++i) {
    data[i] = static_cast<char>(EncodeMinifloat<Float8E5M2Format>(values[i]));
  }
}

ASSAY_VECTOR_CLONES
void EncodeFloat4(const float* values, size_t count, char* data) {
  for (size_t i = 0; i < count; ++i) {
    const uint32_t low = EncodeMinifloat<Float4E2M1FNFormat>(values[2 * i]);
    const uint32_t high =
        EncodeMinifloat<Float4E2M1FNFormat>(values[2 * i + 1]);
    data[i] = static_cast<char>(low | (high << 4U));
  }
}

}  // namespace

bool FitsFloat(ElementType type) {
  return IsFloatingPoint(type) && type != ElementType::kFloat64;
}

void ToFloats(ElementType type, const void* data, size_t elements, float* out) {
  const auto* bytes = static_cast<const char*>(data);
  switch (type) {
    case ElementType::kFloat32:
      std::memcpy(out, bytes, elements * sizeof(float));
      break;
    case ElementType::kFloat16:
      return DecodeFloat16(bytes, elements, out);
    case ElementType::kBFloat16:
      return DecodeBFloat16(bytes, elements, out);
    case ElementType::kFloat8E4M3FN:
      return DecodeFloat8E4M3FN(bytes, elements, out);
    case ElementType::kFloat8E5M2:
      return DecodeFloat8E5M2(bytes, elements, out);
    case ElementType::kFloat4E2M1FNx2:
      return DecodeFloat4(bytes, elements, out);
    default:
      break;
  }
}

void FromFloats(ElementType type, const float* values, size_t elements,
                void* data) {
  auto* bytes = static_cast<char*>(data);
  switch (type) {
    case ElementType::kFloat32:
      std::memcpy(bytes, values, elements * sizeof(float));
      break;
    case ElementType::kFloat16:
      return EncodeFloat16(values, elements, bytes);
    case ElementType::kBFloat16:
      return EncodeBFloat16(values, elements, bytes);
    case ElementType::kFloat8E4M3FN:
      return EncodeFloat8E4M3FN(values, elements, bytes);
    case ElementType::kFloat8E5M2:
      return EncodeFloat8E5M2(values, elements, bytes);
    case ElementType::kFloat4E2M1FNx2:
      return EncodeFloat4(values, elements, bytes);
    default:
      break;
  }
}

}  // namespace assay::measure
