#include "schema/dtype.h"

#include "absl/strings/str_cat.h"

namespace assay {
namespace {

struct DTypeInfo {
  v1::DType dtype;
  absl::string_view name;
  int bytes;
  bool is_float;
};

constexpr DTypeInfo kDTypes[] = {
    {v1::DTYPE_FLOAT64, "float64", 8, true},
    {v1::DTYPE_FLOAT32, "float32", 4, true},
    {v1::DTYPE_FLOAT16, "float16", 2, true},
    {v1::DTYPE_BFLOAT16, "bfloat16", 2, true},
    {v1::DTYPE_FLOAT8_E4M3FN, "float8_e4m3fn", 1, true},
    {v1::DTYPE_FLOAT8_E5M2, "float8_e5m2", 1, true},
    {v1::DTYPE_FLOAT4_E2M1FN_X2, "float4_e2m1fn_x2", 1, true},
    {v1::DTYPE_INT64, "int64", 8, false},
    {v1::DTYPE_INT32, "int32", 4, false},
    {v1::DTYPE_INT16, "int16", 2, false},
    {v1::DTYPE_INT8, "int8", 1, false},
    {v1::DTYPE_UINT8, "uint8", 1, false},
    {v1::DTYPE_BOOL, "bool", 1, false},
};

const DTypeInfo* Find(v1::DType dtype) {
  for (const DTypeInfo& info : kDTypes) {
    if (info.dtype == dtype) return &info;
  }
  return nullptr;
}

}  // namespace

absl::string_view DTypeName(v1::DType dtype) {
  const DTypeInfo* info = Find(dtype);
  return info == nullptr ? "unspecified" : info->name;
}

absl::optional<v1::DType> ParseDType(absl::string_view name) {
  for (const DTypeInfo& info : kDTypes) {
    if (info.name == name) return info.dtype;
  }
  if (name == "float8_e4m3") return v1::DTYPE_FLOAT8_E4M3FN;
  if (name == "float4_e2m1") return v1::DTYPE_FLOAT4_E2M1FN_X2;
  return absl::nullopt;
}

int DTypeBytes(v1::DType dtype) {
  const DTypeInfo* info = Find(dtype);
  return info == nullptr ? 0 : info->bytes;
}

bool IsFloatDType(v1::DType dtype) {
  const DTypeInfo* info = Find(dtype);
  return info != nullptr && info->is_float;
}

std::string DTypeNames() {
  std::string names;
  for (const DTypeInfo& info : kDTypes) {
    absl::StrAppend(&names, names.empty() ? "" : ", ", info.name);
  }
  return names;
}

}  // namespace assay
