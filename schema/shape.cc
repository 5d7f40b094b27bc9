#include "schema/shape.h"

#include <map>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "schema/dtype.h"
#include "schema/json_path.h"

namespace assay {
namespace {

using AxisSizes = std::map<std::string, int64_t>;

absl::Status TooLarge(absl::string_view what) {
  return absl::InvalidArgumentError(
      absl::StrCat(what, " would need more than ", kMaxCaseBytes >> 40,
                   " TiB, use smaller axis values"));
}

// "x" with batch=3, hidden=16
std::string DescribeSizes(const v1::TensorSpec& spec,
                          const std::vector<int64_t>& dims) {
  std::string text = absl::StrCat(Quoted(spec.name()), " with ");
  for (size_t i = 0; i < dims.size(); ++i) {
    absl::StrAppend(&text, i == 0 ? "" : ", ", spec.shape(static_cast<int>(i)),
                    "=", dims[i]);
  }
  return text;
}

absl::StatusOr<AxisSizes> SizesOf(const v1::Definition& definition,
                                  const v1::Workload& workload) {
  AxisSizes sizes;
  for (const v1::AxisValue& axis : workload.axes()) {
    if (axis.value() < 0) {
      return absl::InvalidArgumentError(
          absl::StrCat("axis ", Quoted(axis.name()), " is ", axis.value(),
                       ", give it a value of at least 0"));
    }
    sizes[axis.name()] = axis.value();
  }
  for (const v1::Axis& axis : definition.axes()) {
    if (axis.kind() == v1::Axis::CONST) sizes[axis.name()] = axis.value();
  }
  return sizes;
}

// Adds `bytes` to `total`, both non-negative and at most kMaxCaseBytes.
absl::Status AddBytes(int64_t bytes, int64_t& total) {
  total += bytes;
  if (total > kMaxCaseBytes) return TooLarge("the workload");
  return absl::OkStatus();
}

absl::StatusOr<ResolvedTensor> Resolve(const v1::TensorSpec& spec,
                                       const AxisSizes& sizes) {
  ResolvedTensor tensor;
  tensor.name = spec.name();
  tensor.dtype = spec.dtype();
  tensor.is_scalar = spec.is_scalar();
  bool empty = false;
  for (const std::string& axis : spec.shape()) {
    const auto size = sizes.find(axis);
    if (size == sizes.end()) {
      return absl::InvalidArgumentError(
          absl::StrCat("axis ", Quoted(axis), " of ", Quoted(spec.name()),
                       " has no value, give one in \"axes\""));
    }
    tensor.dims.push_back(size->second);
    empty = empty || size->second == 0;
  }
  tensor.bytes = DTypeBytes(spec.dtype());
  for (const int64_t dim : tensor.dims) {
    // Checked even when another dimension is 0: strides must fit as well.
    if (dim != 0 && tensor.bytes > kMaxCaseBytes / dim) {
      return TooLarge(DescribeSizes(spec, tensor.dims));
    }
    if (dim != 0) tensor.bytes *= dim;
  }
  if (empty) tensor.bytes = 0;
  return tensor;
}

absl::Status ResolveAll(
    const google::protobuf::RepeatedPtrField<v1::TensorSpec>& specs,
    const AxisSizes& sizes, std::vector<ResolvedTensor>& tensors,
    int64_t& total) {
  for (const v1::TensorSpec& spec : specs) {
    ASSAY_ASSIGN_OR_RETURN(ResolvedTensor tensor, Resolve(spec, sizes));
    ASSAY_RETURN_IF_ERROR(AddBytes(tensor.bytes, total));
    tensors.push_back(std::move(tensor));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<ResolvedCase> ResolveCase(const v1::Definition& definition,
                                         const v1::Workload& workload) {
  ASSAY_ASSIGN_OR_RETURN(const AxisSizes sizes, SizesOf(definition, workload));
  ResolvedCase result;
  ASSAY_RETURN_IF_ERROR(ResolveAll(definition.inputs(), sizes, result.inputs,
                                   result.input_bytes));
  ASSAY_RETURN_IF_ERROR(ResolveAll(definition.outputs(), sizes, result.outputs,
                                   result.output_bytes));
  if (result.input_bytes > kMaxCaseBytes - result.output_bytes) {
    return TooLarge("the workload");
  }
  return result;
}

}  // namespace assay
