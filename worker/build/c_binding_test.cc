#include "worker/build/c_binding.h"

#include <gmock/gmock.h>

#include <string>
#include <utility>

#include "assay/v1/definition.pb.h"

namespace assay {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

void AddInput(v1::Definition& definition, v1::DType dtype, bool is_scalar) {
  v1::TensorSpec& input = *definition.add_inputs();
  input.set_name("input");
  input.set_dtype(dtype);
  input.set_is_scalar(is_scalar);
}

TEST(CBindingTest, IncludesTheEntryFileFirst) {
  EXPECT_THAT(CBindingUnit({}, "src/kernel.cpp", "run", ""),
              StartsWith("#include \"src/kernel.cpp\"\n"));
}

TEST(CBindingTest, ParametersAreInputsOutputsAndStream) {
  v1::Definition definition;
  AddInput(definition, v1::DTYPE_FLOAT16, /*is_scalar=*/false);
  AddInput(definition, v1::DTYPE_FLOAT32, /*is_scalar=*/true);
  definition.add_outputs();
  definition.add_outputs();
  EXPECT_THAT(CBindingUnit(definition, "k.cpp", "run", ""),
              HasSubstr("Wanted = int(const DLTensor*, float, DLTensor*, "
                        "DLTensor*, void*);"));
}

TEST(CBindingTest, ScalarsArePassedByTheirCType) {
  for (const auto& [dtype, type] :
       {std::make_pair(v1::DTYPE_FLOAT64, "double"),
        std::make_pair(v1::DTYPE_FLOAT32, "float"),
        std::make_pair(v1::DTYPE_FLOAT16, "float"),
        std::make_pair(v1::DTYPE_BFLOAT16, "float"),
        std::make_pair(v1::DTYPE_FLOAT8_E4M3FN, "float"),
        std::make_pair(v1::DTYPE_INT64, "int64_t"),
        std::make_pair(v1::DTYPE_INT32, "int32_t"),
        std::make_pair(v1::DTYPE_INT16, "int16_t"),
        std::make_pair(v1::DTYPE_INT8, "int8_t"),
        std::make_pair(v1::DTYPE_UINT8, "uint8_t"),
        std::make_pair(v1::DTYPE_BOOL, "bool")}) {
    v1::Definition definition;
    AddInput(definition, dtype, /*is_scalar=*/true);
    const std::string unit = CBindingUnit(definition, "k.cpp", "run", "");
    EXPECT_THAT(unit, HasSubstr(std::string("int(") + type + ", void*)"));
    EXPECT_THAT(unit, HasSubstr(std::string("*static_cast<const ") + type +
                                "*>(args[0])"));
  }
}

TEST(CBindingTest, TheMessageIsQuoted) {
  EXPECT_THAT(CBindingUnit({}, "k.cpp", "run", "\"run\" must\nbe \\"),
              HasSubstr("::value, \"\\\"run\\\" must\\nbe \\\\\");"));
}

}  // namespace
}  // namespace assay
