#include "worker/runner/device_heap.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/status_testing.h"

namespace assay {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// A GPU of `room` blocks; says what it was asked.
int room = 0;
CUdeviceptr last_block = 0;
std::vector<std::string> asked;

CUresult TakeBlock(CUdeviceptr* memory, size_t bytes) {
  asked.emplace_back("take");
  if (room == 0) return CUDA_ERROR_OUT_OF_MEMORY;
  --room;
  last_block += 4096;
  *memory = last_block;
  return CUDA_SUCCESS;
}

CUresult GiveBlock(CUdeviceptr memory) {
  asked.emplace_back("give");
  ++room;
  return CUDA_SUCCESS;
}

CUresult Synchronize() {
  asked.emplace_back("synchronize");
  return CUDA_SUCCESS;
}

CUresult NameError(CUresult result, const char** name) {
  *name = "CUDA_ERROR_OUT_OF_MEMORY";
  return CUDA_SUCCESS;
}

absl::StatusOr<const CudaDriver*> LoadFake() {
  static const CudaDriver& fake = *[] {
    auto* driver = new CudaDriver();
    driver->cuMemAlloc = &TakeBlock;
    driver->cuMemFree = &GiveBlock;
    driver->cuCtxSynchronize = &Synchronize;
    driver->cuGetErrorName = &NameError;
    driver->cuGetErrorString = &NameError;
    return driver;
  }();
  return &fake;
}

class DeviceHeapTest : public ::testing::Test {
 protected:
  DeviceHeapTest() {
    room = 1;
    asked.clear();
  }

  DeviceHeap heap_{&LoadFake};
};

TEST_F(DeviceHeapTest, GivesAgainWhatItWasGivenBack) {
  ASSERT_OK_AND_ASSIGN(void* const first, heap_.Allocate(256));
  heap_.Free(first, 256);
  EXPECT_THAT(heap_.Allocate(256), IsOkAndHolds(first));
  EXPECT_THAT(asked, ElementsAre("take"));
}

TEST_F(DeviceHeapTest, WhatIsKeptMakesRoomForAnotherSize) {
  ASSERT_OK_AND_ASSIGN(void* const first, heap_.Allocate(256));
  heap_.Free(first, 256);
  EXPECT_OK(heap_.Allocate(512).status());
  EXPECT_THAT(asked,
              ElementsAre("take", "take", "synchronize", "give", "take"));
}

TEST_F(DeviceHeapTest, SaysWhenThereIsNoRoomAllTheSame) {
  ASSERT_OK(heap_.Allocate(256).status());
  EXPECT_THAT(heap_.Allocate(512),
              StatusIs(absl::StatusCode::kResourceExhausted,
                       testing::HasSubstr("taking 512 bytes")));
}

TEST_F(DeviceHeapTest, ReleaseGivesEachBlockBackOnce) {
  ASSERT_OK_AND_ASSIGN(void* const first, heap_.Allocate(256));
  heap_.Free(first, 256);
  heap_.Release();
  EXPECT_THAT(asked, ElementsAre("take", "synchronize", "give"));
  asked.clear();
  heap_.Release();
  EXPECT_THAT(asked, IsEmpty());
}

}  // namespace
}  // namespace assay
