// What the tests that need a GPU have in common. Without one they fail: they
// run where there is one, or not at all.

#ifndef ASSAY_KERNELS_MEASURE_CUDA_GPU_TEST_H_
#define ASSAY_KERNELS_MEASURE_CUDA_GPU_TEST_H_

#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <string>

#include "kernels/measure/element_type.h"

namespace assay::measure {

inline void RequireGpu() {
  int devices = 0;
  const cudaError_t error = cudaGetDeviceCount(&devices);
  ASSERT_EQ(error, cudaSuccess) << cudaGetErrorString(error);
  ASSERT_GT(devices, 0);
}

class GpuTest : public testing::Test {
 protected:
  void SetUp() override { RequireGpu(); }
};

class TypedGpuTest : public testing::TestWithParam<ElementType> {
 protected:
  void SetUp() override { RequireGpu(); }
};

inline std::string TypeName(const testing::TestParamInfo<ElementType>& info) {
  return ElementTypeName(info.param);
}

}  // namespace assay::measure

#endif  // ASSAY_KERNELS_MEASURE_CUDA_GPU_TEST_H_
