// The function that a solution must provide, as text for messages.

#ifndef ASSAY_SCHEMA_SIGNATURE_H_
#define ASSAY_SCHEMA_SIGNATURE_H_

#include <string>

#include "absl/strings/string_view.h"
#include "assay/v1/definition.pb.h"
#include "assay/v1/solution.pb.h"

namespace assay {

// The type that binding `c` passes a scalar of `dtype` as, e.g. "int64_t".
// Floats narrower than C has are passed as "float".
absl::string_view CScalarType(v1::DType dtype);

// In the language and binding of the solution, named after the symbol of its
// entry point, e.g.
//
//   int scale(const DLTensor* x, float factor, DLTensor* y, void* stream)
//   void scale(tvm::ffi::TensorView x, double factor, tvm::ffi::TensorView y)
//   def run(x, factor, y)
std::string EntrySignature(const v1::Solution& solution,
                           const v1::Definition& definition);

}  // namespace assay

#endif  // ASSAY_SCHEMA_SIGNATURE_H_
