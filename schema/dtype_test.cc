#include "schema/dtype.h"

#include <gmock/gmock.h>

#include "assay/v1/definition.pb.h"

namespace assay {
namespace {

TEST(DTypeTest, EveryDTypeHasANameThatReadsBack) {
  for (int number = v1::DType_MIN + 1; number <= v1::DType_MAX; ++number) {
    const auto dtype = static_cast<v1::DType>(number);
    const auto parsed = ParseDType(DTypeName(dtype));
    ASSERT_TRUE(parsed.has_value()) << v1::DType_Name(dtype);
    EXPECT_EQ(*parsed, dtype);
    EXPECT_GT(DTypeBytes(dtype), 0);
  }
}

TEST(DTypeTest, ReadsOlderSpellings) {
  EXPECT_EQ(ParseDType("float8_e4m3").value(), v1::DTYPE_FLOAT8_E4M3FN);
  EXPECT_EQ(ParseDType("float4_e2m1").value(), v1::DTYPE_FLOAT4_E2M1FN_X2);
}

TEST(DTypeTest, RefusesOtherNames) {
  for (const char* name : {"", "float", "Float32", "float32 ", "unspecified"}) {
    EXPECT_FALSE(ParseDType(name).has_value()) << name;
  }
}

TEST(DTypeTest, SizesAreThoseOfTorch) {
  EXPECT_EQ(DTypeBytes(v1::DTYPE_FLOAT64), 8);
  EXPECT_EQ(DTypeBytes(v1::DTYPE_BFLOAT16), 2);
  EXPECT_EQ(DTypeBytes(v1::DTYPE_FLOAT4_E2M1FN_X2), 1);
  EXPECT_EQ(DTypeBytes(v1::DTYPE_BOOL), 1);
  EXPECT_EQ(DTypeBytes(v1::DTYPE_UNSPECIFIED), 0);
}

TEST(DTypeTest, TellsFloatsFromTheRest) {
  EXPECT_TRUE(IsFloatDType(v1::DTYPE_FLOAT8_E5M2));
  EXPECT_FALSE(IsFloatDType(v1::DTYPE_INT8));
  EXPECT_FALSE(IsFloatDType(v1::DTYPE_BOOL));
  EXPECT_FALSE(IsFloatDType(v1::DTYPE_UNSPECIFIED));
}

}  // namespace
}  // namespace assay
