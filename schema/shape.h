// What a workload makes of a definition: the size of everything, in numbers.
//
//   ASSAY_ASSIGN_OR_RETURN(ResolvedCase sizes, ResolveCase(definition,
//   workload)); if (sizes.input_bytes > free_bytes) ...

#ifndef ASSAY_SCHEMA_SHAPE_H_
#define ASSAY_SCHEMA_SHAPE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "assay/v1/definition.pb.h"
#include "assay/v1/workload.pb.h"

namespace assay {

// The most bytes that one tensor, and all tensors of a case, may have (128
// TiB): the address space of a process.
inline constexpr int64_t kMaxCaseBytes = int64_t{1} << 47;

struct ResolvedTensor {
  std::string name;
  v1::DType dtype = v1::DTYPE_UNSPECIFIED;
  // A scalar passed by value; as an output, a 0-D tensor.
  bool is_scalar = false;
  // From the outermost dimension to the innermost; empty for 0-D and scalars.
  std::vector<int64_t> dims;
  // 0 where a dimension is 0.
  int64_t bytes = 0;
};

// In call order.
struct ResolvedCase {
  std::vector<ResolvedTensor> inputs;
  std::vector<ResolvedTensor> outputs;
  int64_t input_bytes = 0;
  int64_t output_bytes = 0;
};

// INVALID_ARGUMENT when an axis has no value, a negative one, or the sizes
// exceed kMaxCaseBytes. Thread-safe.
absl::StatusOr<ResolvedCase> ResolveCase(const v1::Definition& definition,
                                         const v1::Workload& workload);

}  // namespace assay

#endif  // ASSAY_SCHEMA_SHAPE_H_
