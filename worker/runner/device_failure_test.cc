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

CudaDriver DriverThatTells() {
  CudaDriver cuda;
  cuda.cuGetErrorName = &NameIt;
  cuda.cuGetErrorString = &TellIt;
  return cuda;
}

TEST(FailedOnDeviceTest, ErrorIsTheCallsInTheDriversWords) {
  const MaybeFailed failed =
      FailedOnDevice(DriverThatTells(), CUDA_ERROR_ILLEGAL_ADDRESS);
  ASSERT_TRUE(failed.has_value());
  EXPECT_EQ(failed->kind(), worker::Failed::RAISED);
  EXPECT_EQ(failed->message(),
            "the call failed on the device: an illegal memory access was "
            "encountered (CUDA_ERROR_ILLEGAL_ADDRESS)");
}

TEST(FailedBeforeCallTest, SuccessIsNoFailure) {
  EXPECT_FALSE(FailedBeforeCall(CudaDriver(), CUDA_SUCCESS).has_value());
}

TEST(FailedBeforeCallTest, ErrorIsNotTheNextCalls) {
  const MaybeFailed failed =
      FailedBeforeCall(DriverThatTells(), CUDA_ERROR_ILLEGAL_ADDRESS);
  ASSERT_TRUE(failed.has_value());
  EXPECT_EQ(failed->kind(), worker::Failed::RAISED);
  EXPECT_EQ(failed->message(),
            "the device failed before the call: an illegal memory access was "
            "encountered (CUDA_ERROR_ILLEGAL_ADDRESS)");
}

}  // namespace
}  // namespace assay
