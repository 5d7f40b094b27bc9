#include "kernels/measure/element_type.h"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

#include "kernels/measure/minifloat.h"

namespace assay::measure {
namespace {

template <typename T>
T Load(const void* data, size_t index) {
  T value;
  std::memcpy(&value, static_cast<const char*>(data) + index * sizeof(T),
              sizeof(T));
  return value;
}

template <typename T>
void Store(T value, void* data, size_t index) {
  std::memcpy(static_cast<char*>(data) + index * sizeof(T), &value, sizeof(T));
}

template <typename T>
void StoreInteger(double value, void* data, size_t index) {
  // The limits as doubles; the upper one may be rounded up, to 2^63.
  constexpr auto kLow = static_cast<double>(std::numeric_limits<T>::min());
  constexpr auto kHigh = static_cast<double>(std::numeric_limits<T>::max());
  const double rounded = std::nearbyint(value);
  T stored = 0;
  if (rounded >= kHigh) {
    stored = std::numeric_limits<T>::max();
  } else if (rounded <= kLow) {
    stored = std::numeric_limits<T>::min();
  } else if (!std::isnan(rounded)) {
    stored = static_cast<T>(rounded);
  }
  Store<T>(stored, data, index);
}

double LoadFloat4(const void* data, size_t index) {
  const auto pair = Load<uint8_t>(data, index / 2);
  const uint32_t code = index % 2 == 0 ? pair & 0xFU : pair >> 4U;
  return static_cast<double>(DecodeMinifloat<Float4E2M1FNFormat>(code));
}

void StoreFloat4(double value, void* data, size_t index) {
  const uint32_t code = EncodeMinifloat<Float4E2M1FNFormat>(value);
  const uint32_t pair = Load<uint8_t>(data, index / 2);
  const uint32_t stored =
      index % 2 == 0 ? (pair & 0xF0U) | code : (pair & 0x0FU) | (code << 4U);
  Store(static_cast<uint8_t>(stored), data, index / 2);
}

template <typename Format, typename Code>
double LoadMinifloat(const void* data, size_t index) {
  return static_cast<double>(DecodeMinifloat<Format>(Load<Code>(data, index)));
}

template <typename Format, typename Code>
void StoreMinifloat(double value, void* data, size_t index) {
  Store(static_cast<Code>(EncodeMinifloat<Format>(value)), data, index);
}

}  // namespace

size_t ElementBytes(ElementType type) {
  switch (type) {
    case ElementType::kFloat64:
    case ElementType::kInt64:
      return 8;
    case ElementType::kFloat32:
    case ElementType::kInt32:
      return 4;
    case ElementType::kFloat16:
    case ElementType::kBFloat16:
    case ElementType::kInt16:
      return 2;
    case ElementType::kFloat8E4M3FN:
    case ElementType::kFloat8E5M2:
    case ElementType::kFloat4E2M1FNx2:
    case ElementType::kInt8:
    case ElementType::kUInt8:
    case ElementType::kBool:
      return 1;
  }
  return 0;
}

size_t ValuesPerElement(ElementType type) {
  return type == ElementType::kFloat4E2M1FNx2 ? 2 : 1;
}

bool IsFloatingPoint(ElementType type) {
  switch (type) {
    case ElementType::kFloat64:
    case ElementType::kFloat32:
    case ElementType::kFloat16:
    case ElementType::kBFloat16:
    case ElementType::kFloat8E4M3FN:
    case ElementType::kFloat8E5M2:
    case ElementType::kFloat4E2M1FNx2:
      return true;
    case ElementType::kInt64:
    case ElementType::kInt32:
    case ElementType::kInt16:
    case ElementType::kInt8:
    case ElementType::kUInt8:
    case ElementType::kBool:
      return false;
  }
  return false;
}

const char* ElementTypeName(ElementType type) {
  switch (type) {
    case ElementType::kFloat64:
      return "float64";
    case ElementType::kFloat32:
      return "float32";
    case ElementType::kFloat16:
      return "float16";
    case ElementType::kBFloat16:
      return "bfloat16";
    case ElementType::kFloat8E4M3FN:
      return "float8_e4m3fn";
    case ElementType::kFloat8E5M2:
      return "float8_e5m2";
    case ElementType::kFloat4E2M1FNx2:
      return "float4_e2m1fn_x2";
    case ElementType::kInt64:
      return "int64";
    case ElementType::kInt32:
      return "int32";
    case ElementType::kInt16:
      return "int16";
    case ElementType::kInt8:
      return "int8";
    case ElementType::kUInt8:
      return "uint8";
    case ElementType::kBool:
      return "bool";
  }
  return "";
}

double LoadAsDouble(ElementType type, const void* data, size_t index) {
  switch (type) {
    case ElementType::kFloat64:
      return Load<double>(data, index);
    case ElementType::kFloat32:
      return static_cast<double>(Load<float>(data, index));
    case ElementType::kFloat16:
      return LoadMinifloat<Float16Format, uint16_t>(data, index);
    case ElementType::kBFloat16:
      return LoadMinifloat<BFloat16Format, uint16_t>(data, index);
    case ElementType::kFloat8E4M3FN:
      return LoadMinifloat<Float8E4M3FNFormat, uint8_t>(data, index);
    case ElementType::kFloat8E5M2:
      return LoadMinifloat<Float8E5M2Format, uint8_t>(data, index);
    case ElementType::kFloat4E2M1FNx2:
      return LoadFloat4(data, index);
    case ElementType::kInt64:
      return static_cast<double>(Load<int64_t>(data, index));
    case ElementType::kInt32:
      return static_cast<double>(Load<int32_t>(data, index));
    case ElementType::kInt16:
      return static_cast<double>(Load<int16_t>(data, index));
    case ElementType::kInt8:
      return static_cast<double>(Load<int8_t>(data, index));
    case ElementType::kUInt8:
      return static_cast<double>(Load<uint8_t>(data, index));
    case ElementType::kBool:
      return Load<uint8_t>(data, index) != 0 ? 1.0 : 0.0;
  }
  return 0.0;
}

void StoreFromDouble(ElementType type, double value, void* data, size_t index) {
  switch (type) {
    case ElementType::kFloat64:
      return Store(value, data, index);
    case ElementType::kFloat32:
      return Store(static_cast<float>(value), data, index);
    case ElementType::kFloat16:
      return StoreMinifloat<Float16Format, uint16_t>(value, data, index);
    case ElementType::kBFloat16:
      return StoreMinifloat<BFloat16Format, uint16_t>(value, data, index);
    case ElementType::kFloat8E4M3FN:
      return StoreMinifloat<Float8E4M3FNFormat, uint8_t>(value, data, index);
    case ElementType::kFloat8E5M2:
      return StoreMinifloat<Float8E5M2Format, uint8_t>(value, data, index);
    case ElementType::kFloat4E2M1FNx2:
      return StoreFloat4(value, data, index);
    case ElementType::kInt64:
      return StoreInteger<int64_t>(value, data, index);
    case ElementType::kInt32:
      return StoreInteger<int32_t>(value, data, index);
    case ElementType::kInt16:
      return StoreInteger<int16_t>(value, data, index);
    case ElementType::kInt8:
      return StoreInteger<int8_t>(value, data, index);
    case ElementType::kUInt8:
      return StoreInteger<uint8_t>(value, data, index);
    case ElementType::kBool:
      return Store(static_cast<uint8_t>(value != 0.0 ? 1 : 0), data, index);
  }
}

}  // namespace assay::measure
