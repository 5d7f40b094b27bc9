// Element types by name and size.

#ifndef ASSAY_SCHEMA_DTYPE_H_
#define ASSAY_SCHEMA_DTYPE_H_

#include <string>

#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "assay/v1/definition.pb.h"

namespace assay {

// The name in the schema, e.g. "bfloat16"; "unspecified" for any other number.
absl::string_view DTypeName(v1::DType dtype);

// Reads the names that DTypeName gives and their older spellings.
absl::optional<v1::DType> ParseDType(absl::string_view name);

// Bytes of one element as a tensor's shape counts them: 1 for
// `float4_e2m1fn_x2`, whose element is a pair of values; 0 when unspecified.
int DTypeBytes(v1::DType dtype);

// float64 down to float4; not integers, not bool.
bool IsFloatDType(v1::DType dtype);

// All names, for messages: "float64, float32, ...".
std::string DTypeNames();

}  // namespace assay

#endif  // ASSAY_SCHEMA_DTYPE_H_
