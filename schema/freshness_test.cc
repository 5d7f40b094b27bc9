#include "schema/freshness.h"

#include <gtest/gtest.h>

#include <string>

namespace assay {
namespace {

ResolvedTensor Tensor(const std::string& name, v1::DType dtype,
                      int64_t bytes = 64) {
  ResolvedTensor tensor;
  tensor.name = name;
  tensor.dtype = dtype;
  tensor.bytes = bytes;
  return tensor;
}

// Inputs x and n, an int64.
class FreshnessTest : public testing::Test {
 protected:
  FreshnessTest() {
    x().set_name("x");
    workload_.add_inputs()->set_name("n");
    workload_.mutable_inputs(1)->mutable_safetensors();
  }

  v1::WorkloadInput& x() {
    if (workload_.inputs().empty()) workload_.add_inputs();
    return *workload_.mutable_inputs(0);
  }

  Freshness Of(const ResolvedTensor& x) {
    ResolvedCase sizes;
    sizes.inputs = {x, Tensor("n", v1::DTYPE_INT64)};
    return FreshnessOf(sizes, workload_);
  }

  v1::Workload workload_;
};

TEST_F(FreshnessTest, OneRandomInputIsEnough) {
  workload_.mutable_inputs(1)->mutable_random();
  x().mutable_safetensors();
  EXPECT_EQ(Of(Tensor("x", v1::DTYPE_FLOAT32)), Freshness::kRandom);
}

TEST_F(FreshnessTest, StoredFloatsCanBeVaried) {
  x().mutable_safetensors();
  for (const v1::DType dtype :
       {v1::DTYPE_FLOAT64, v1::DTYPE_FLOAT32, v1::DTYPE_FLOAT16,
        v1::DTYPE_BFLOAT16, v1::DTYPE_FLOAT8_E4M3FN, v1::DTYPE_FLOAT8_E5M2}) {
    EXPECT_EQ(Of(Tensor("x", dtype)), Freshness::kVaried) << dtype;
  }
}

TEST_F(FreshnessTest, OtherStoredValuesCannot) {
  x().mutable_safetensors();
  for (const v1::DType dtype :
       {v1::DTYPE_INT32, v1::DTYPE_BOOL, v1::DTYPE_FLOAT4_E2M1FN_X2}) {
    EXPECT_EQ(Of(Tensor("x", dtype)), Freshness::kStored) << dtype;
  }
  EXPECT_EQ(Of(Tensor("x", v1::DTYPE_FLOAT32, 0)), Freshness::kStored);
}

TEST_F(FreshnessTest, ScalarsStay) {
  x().mutable_scalar()->set_float_value(0.5);
  EXPECT_EQ(Of(Tensor("x", v1::DTYPE_FLOAT32, 4)), Freshness::kStored);
}

}  // namespace
}  // namespace assay
