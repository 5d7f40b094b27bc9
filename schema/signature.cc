#include "schema/signature.h"

#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "schema/binding.h"
#include "schema/dtype.h"

namespace assay {
namespace {

// How a language writes the parameters and the function.
struct Style {
  absl::string_view input_tensor;
  absl::string_view output_tensor;
  absl::string_view (*scalar)(v1::DType);
  // Of a function that returns its outputs.
  absl::string_view returned;
  absl::string_view returned_many;
};

// Bindings to Python know one type of float and one of int.
absl::string_view WideScalar(v1::DType dtype) {
  if (dtype == v1::DTYPE_BOOL) return "bool";
  return IsFloatDType(dtype) ? "double" : "int64_t";
}

constexpr Style kC = {"const DLTensor* ", "DLTensor* ", CScalarType, "int",
                      "int"};
constexpr Style kTvmFfi = {"tvm::ffi::TensorView ", "tvm::ffi::TensorView ",
                           WideScalar, "tvm::ffi::Tensor",
                           "tvm::ffi::Array<tvm::ffi::Tensor>"};
constexpr Style kTorch = {"torch::Tensor ", "torch::Tensor ", WideScalar,
                          "torch::Tensor", "std::vector<torch::Tensor>"};

std::string CompiledParameters(const v1::Solution& solution,
                               const v1::Definition& definition,
                               const Style& style) {
  std::vector<std::string> parameters;
  for (const v1::TensorSpec& input : definition.inputs()) {
    parameters.push_back(
        input.is_scalar()
            ? absl::StrCat(style.scalar(input.dtype()), " ", input.name())
            : absl::StrCat(style.input_tensor, input.name()));
  }
  if (solution.spec().destination_passing_style()) {
    for (const v1::TensorSpec& output : definition.outputs()) {
      parameters.push_back(absl::StrCat(style.output_tensor, output.name()));
    }
  }
  return absl::StrJoin(parameters, ", ");
}

std::string PythonSignature(const v1::Solution& solution,
                            const v1::Definition& definition,
                            absl::string_view symbol) {
  std::vector<std::string> parameters;
  for (const v1::TensorSpec& input : definition.inputs()) {
    parameters.push_back(input.name());
  }
  if (solution.spec().destination_passing_style()) {
    for (const v1::TensorSpec& output : definition.outputs()) {
      parameters.push_back(output.name());
    }
  }
  return absl::StrCat("def ", symbol, "(", absl::StrJoin(parameters, ", "),
                      ")");
}

}  // namespace

absl::string_view CScalarType(v1::DType dtype) {
  switch (dtype) {
    case v1::DTYPE_FLOAT64:
      return "double";
    case v1::DTYPE_INT64:
      return "int64_t";
    case v1::DTYPE_INT32:
      return "int32_t";
    case v1::DTYPE_INT16:
      return "int16_t";
    case v1::DTYPE_INT8:
      return "int8_t";
    case v1::DTYPE_UINT8:
      return "uint8_t";
    case v1::DTYPE_BOOL:
      return "bool";
    default:
      return "float";
  }
}

std::string EntrySignature(const v1::Solution& solution,
                           const v1::Definition& definition) {
  absl::string_view symbol =
      ParseEntryPoint(solution.spec().entry_point()).symbol;
  if (symbol.empty()) symbol = "run";
  const v1::BuildSpec::Binding binding = EffectiveBinding(solution.spec());
  if (binding == v1::BuildSpec::BINDING_UNSPECIFIED) {
    return PythonSignature(solution, definition, symbol);
  }
  if (binding == v1::BuildSpec::C) {
    const std::string parameters = CompiledParameters(solution, definition, kC);
    return absl::StrCat("int ", symbol, "(", parameters,
                        parameters.empty() ? "" : ", ", "void* stream)");
  }
  const Style& style = binding == v1::BuildSpec::TORCH ? kTorch : kTvmFfi;
  absl::string_view returns = "void";
  if (!solution.spec().destination_passing_style()) {
    returns =
        definition.outputs_size() == 1 ? style.returned : style.returned_many;
  }
  return absl::StrCat(returns, " ", symbol, "(",
                      CompiledParameters(solution, definition, style), ")");
}

}  // namespace assay
