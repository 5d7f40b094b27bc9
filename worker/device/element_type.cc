#include "worker/device/element_type.h"

#include "absl/strings/str_cat.h"

namespace assay {

absl::StatusOr<measure::ElementType> ToElementType(v1::DType dtype) {
  using measure::ElementType;
  switch (dtype) {
    case v1::DTYPE_FLOAT64:
      return ElementType::kFloat64;
    case v1::DTYPE_FLOAT32:
      return ElementType::kFloat32;
    case v1::DTYPE_FLOAT16:
      return ElementType::kFloat16;
    case v1::DTYPE_BFLOAT16:
      return ElementType::kBFloat16;
    case v1::DTYPE_FLOAT8_E4M3FN:
      return ElementType::kFloat8E4M3FN;
    case v1::DTYPE_FLOAT8_E5M2:
      return ElementType::kFloat8E5M2;
    case v1::DTYPE_FLOAT4_E2M1FN_X2:
      return ElementType::kFloat4E2M1FNx2;
    case v1::DTYPE_INT64:
      return ElementType::kInt64;
    case v1::DTYPE_INT32:
      return ElementType::kInt32;
    case v1::DTYPE_INT16:
      return ElementType::kInt16;
    case v1::DTYPE_INT8:
      return ElementType::kInt8;
    case v1::DTYPE_UINT8:
      return ElementType::kUInt8;
    case v1::DTYPE_BOOL:
      return ElementType::kBool;
    default:
      return absl::InvalidArgumentError(
          absl::StrCat("unknown dtype number ", static_cast<int>(dtype)));
  }
}

}  // namespace assay
