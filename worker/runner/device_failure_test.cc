#include "worker/runner/device_failure.h"

#include <gtest/gtest.h>

namespace assay {
namespace {

CUresult NameIt(CUresult result, const char** name) {
  *name = "CUDA_ERROR_ILLEGAL_ADDRESS";
  return CUDA_SUCCESS;
}

CUresult TellIt(CUresult result, const char** text) {
  *text = "an illegal memory access was encountered";
  return CUDA_SUCCESS;
}

TEST(FailedOnDeviceTest, SuccessIsNoFailure) {
  EXPECT_FALSE(FailedOnDevice(CudaDriver(), CUDA_SUCCESS).has_value());
}

TEST(FailedOnDeviceTest, ErrorIsTheCallsInTheDriversWords) {
  CudaDriver cuda;
  cuda.cuGetErrorName = &NameIt;
  cuda.cuGetErrorString = &TellIt;
  const MaybeFailed failed = FailedOnDevice(cuda, CUDA_ERROR_ILLEGAL_ADDRESS);
  ASSERT_TRUE(failed.has_value());
  EXPECT_EQ(failed->kind(), worker::Failed::RAISED);
  EXPECT_EQ(failed->message(),
            "the call failed on the device: an illegal memory access was "
            "encountered (CUDA_ERROR_ILLEGAL_ADDRESS)");
}

}  // namespace
}  // namespace assay
