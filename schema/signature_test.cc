#include "schema/signature.h"

#include <gmock/gmock.h>

#include "assay/v1/definition.pb.h"
#include "schema/schema_testing.h"

namespace assay {
namespace {

v1::Solution With(v1::BuildSpec::Language language,
                  v1::BuildSpec::Binding binding, bool destination_passing) {
  v1::Solution solution = ScaleSolution();
  solution.mutable_spec()->set_language(language);
  solution.mutable_spec()->set_binding(binding);
  solution.mutable_spec()->set_destination_passing_style(destination_passing);
  return solution;
}

TEST(EntrySignatureTest, C) {
  EXPECT_EQ(
      EntrySignature(ScaleSolution(), ScaleDefinition()),
      "int scale(const DLTensor* x, float factor, DLTensor* y, void* stream)");
}

TEST(EntrySignatureTest, CScalarsHaveTheirOwnWidth) {
  const struct {
    v1::DType dtype;
    const char* type;
  } kCases[] = {
      {v1::DTYPE_FLOAT64, "double"}, {v1::DTYPE_FLOAT16, "float"},
      {v1::DTYPE_BFLOAT16, "float"}, {v1::DTYPE_FLOAT8_E5M2, "float"},
      {v1::DTYPE_INT64, "int64_t"},  {v1::DTYPE_INT32, "int32_t"},
      {v1::DTYPE_INT16, "int16_t"},  {v1::DTYPE_INT8, "int8_t"},
      {v1::DTYPE_UINT8, "uint8_t"},  {v1::DTYPE_BOOL, "bool"},
  };
  for (const auto& c : kCases) {
    v1::Definition definition = ScaleDefinition();
    definition.mutable_inputs(1)->set_dtype(c.dtype);
    EXPECT_EQ(EntrySignature(ScaleSolution(), definition),
              std::string("int scale(const DLTensor* x, ") + c.type +
                  " factor, DLTensor* y, void* stream)");
  }
}

TEST(EntrySignatureTest, TvmFfiIsTheDefaultOfCompiledLanguages) {
  EXPECT_EQ(EntrySignature(With(v1::BuildSpec::CUDA,
                                v1::BuildSpec::BINDING_UNSPECIFIED, true),
                           ScaleDefinition()),
            "void scale(tvm::ffi::TensorView x, double factor, "
            "tvm::ffi::TensorView y)");
}

TEST(EntrySignatureTest, ReturningStyleHasNoOutputParameters) {
  EXPECT_EQ(
      EntrySignature(With(v1::BuildSpec::CPP, v1::BuildSpec::TVM_FFI, false),
                     ScaleDefinition()),
      "tvm::ffi::Tensor scale(tvm::ffi::TensorView x, double factor)");
  EXPECT_EQ(
      EntrySignature(With(v1::BuildSpec::CPP, v1::BuildSpec::TORCH, false),
                     ScaleDefinition()),
      "torch::Tensor scale(torch::Tensor x, double factor)");
}

TEST(EntrySignatureTest, SeveralOutputsAreReturnedTogether) {
  v1::Definition definition = ScaleDefinition();
  *definition.add_outputs() = definition.outputs(0);
  EXPECT_EQ(
      EntrySignature(With(v1::BuildSpec::CPP, v1::BuildSpec::TORCH, false),
                     definition),
      "std::vector<torch::Tensor> scale(torch::Tensor x, double factor)");
}

TEST(EntrySignatureTest, Python) {
  EXPECT_EQ(EntrySignature(With(v1::BuildSpec::TRITON,
                                v1::BuildSpec::BINDING_UNSPECIFIED, true),
                           ScaleDefinition()),
            "def scale(x, factor, y)");
  EXPECT_EQ(EntrySignature(With(v1::BuildSpec::PYTHON,
                                v1::BuildSpec::BINDING_UNSPECIFIED, false),
                           ScaleDefinition()),
            "def scale(x, factor)");
}

TEST(EntrySignatureTest, WithoutASymbolItIsRun) {
  v1::Solution solution = ScaleSolution();
  solution.mutable_spec()->set_entry_point("kernel.cpp");
  EXPECT_THAT(EntrySignature(solution, ScaleDefinition()),
              testing::StartsWith("int run("));
}

}  // namespace
}  // namespace assay
