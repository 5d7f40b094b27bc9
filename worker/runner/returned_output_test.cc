#include "worker/runner/returned_output.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace assay {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// A slot with memory of its own.
struct TestSlot {
  TestSlot(v1::DType dtype, std::vector<int64_t> shape, size_t byte_count)
      : memory(byte_count) {
    slot.dtype = dtype;
    slot.shape = std::move(shape);
    slot.bytes = static_cast<int64_t>(byte_count);
    slot.tensor.data = memory.data();
    slot.tensor.device = {kDLCPU, 0};
    slot.tensor.dtype = ToDLDataType(dtype);
    slot.tensor.ndim = static_cast<int32_t>(slot.shape.size());
    slot.tensor.shape = slot.shape.data();
  }

  template <typename T>
  T As() const {
    return *reinterpret_cast<const T*>(memory.data());
  }

  std::vector<uint8_t> memory;
  BoundTensor slot;
};

// A tensor of two int16 elements that was returned.
class CopyReturnedTensorTest : public ::testing::Test {
 protected:
  CopyReturnedTensorTest() {
    returned_.data = data_;
    returned_.device = {kDLCPU, 0};
    returned_.dtype = {kDLInt, 16, 1};
    returned_.ndim = 1;
    returned_.shape = &size_;
    returned_.strides = &stride_;
  }

  MaybeFailed Copy() { return CopyReturnedTensor(returned_, "y", slot_.slot); }

  int16_t data_[4] = {1, 2, 3, 4};
  int64_t size_ = 2;
  int64_t stride_ = 1;
  DLTensor returned_ = {};
  TestSlot slot_{v1::DTYPE_INT16, {2}, 4};
};

TEST_F(CopyReturnedTensorTest, Copies) {
  EXPECT_FALSE(Copy().has_value());
  EXPECT_THAT(slot_.memory, ElementsAre(1, 0, 2, 0));
}

TEST_F(CopyReturnedTensorTest, HonoursTheByteOffset) {
  returned_.byte_offset = 4;
  EXPECT_FALSE(Copy().has_value());
  EXPECT_THAT(slot_.memory, ElementsAre(3, 0, 4, 0));
}

TEST_F(CopyReturnedTensorTest, NoStridesMeansContiguous) {
  returned_.strides = nullptr;
  EXPECT_FALSE(Copy().has_value());
}

TEST_F(CopyReturnedTensorTest, OtherSizeIsAWrongShape) {
  size_ = 3;
  const MaybeFailed failed = Copy();
  ASSERT_TRUE(failed.has_value());
  EXPECT_EQ(failed->kind(), worker::Failed::WRONG_SHAPE);
  EXPECT_EQ(failed->message(),
            "output \"y\" must be int16[2], but int16[3] was returned");
}

TEST_F(CopyReturnedTensorTest, OtherRankIsAWrongShape) {
  returned_.ndim = 0;
  const MaybeFailed failed = Copy();
  ASSERT_TRUE(failed.has_value());
  EXPECT_EQ(failed->kind(), worker::Failed::WRONG_SHAPE);
}

TEST_F(CopyReturnedTensorTest, OtherDtypeIsAWrongDtype) {
  returned_.dtype = {kDLUInt, 16, 1};
  const MaybeFailed failed = Copy();
  ASSERT_TRUE(failed.has_value());
  EXPECT_EQ(failed->kind(), worker::Failed::WRONG_DTYPE);
  EXPECT_THAT(failed->message(), HasSubstr("uint16[2]"));
}

TEST_F(CopyReturnedTensorTest, StridesAreRefused) {
  stride_ = 2;
  const MaybeFailed failed = Copy();
  ASSERT_TRUE(failed.has_value());
  EXPECT_EQ(failed->kind(), worker::Failed::WRONG_OUTPUTS);
  EXPECT_THAT(failed->message(), HasSubstr("non-contiguous"));
}

TEST_F(CopyReturnedTensorTest, OtherDeviceIsRefused) {
  returned_.device = {kDLCUDA, 0};
  const MaybeFailed failed = Copy();
  ASSERT_TRUE(failed.has_value());
  EXPECT_EQ(failed->kind(), worker::Failed::WRONG_OUTPUTS);
}

TEST(CopyReturnedValueTest, FloatGoesToAnyFloatType) {
  TestSlot float32(v1::DTYPE_FLOAT32, {}, 4);
  EXPECT_FALSE(CopyReturnedFloat(1.5, "y", float32.slot).has_value());
  EXPECT_EQ(float32.As<float>(), 1.5f);
  TestSlot bfloat16(v1::DTYPE_BFLOAT16, {}, 2);
  EXPECT_FALSE(CopyReturnedFloat(1.5, "y", bfloat16.slot).has_value());
  EXPECT_EQ(bfloat16.As<uint16_t>(), 0x3fc0);
}

TEST(CopyReturnedValueTest, FloatForAnIntegerIsAWrongDtype) {
  TestSlot slot(v1::DTYPE_INT32, {}, 4);
  const MaybeFailed failed = CopyReturnedFloat(1, "y", slot.slot);
  ASSERT_TRUE(failed.has_value());
  EXPECT_EQ(failed->kind(), worker::Failed::WRONG_DTYPE);
}

TEST(CopyReturnedValueTest, LargeIntegerIsKeptExactly) {
  constexpr int64_t kLarge = (int64_t{1} << 62) + 1;
  TestSlot slot(v1::DTYPE_INT64, {}, 8);
  EXPECT_FALSE(CopyReturnedInt(kLarge, "y", slot.slot).has_value());
  EXPECT_EQ(slot.As<int64_t>(), kLarge);
}

TEST(CopyReturnedValueTest, IntegerForABoolIsAWrongDtype) {
  TestSlot slot(v1::DTYPE_BOOL, {}, 1);
  const MaybeFailed failed = CopyReturnedInt(1, "y", slot.slot);
  ASSERT_TRUE(failed.has_value());
  EXPECT_EQ(failed->kind(), worker::Failed::WRONG_DTYPE);
}

TEST(CopyReturnedValueTest, BoolGoesToABool) {
  TestSlot slot(v1::DTYPE_BOOL, {}, 1);
  EXPECT_FALSE(CopyReturnedBool(true, "y", slot.slot).has_value());
  EXPECT_EQ(slot.As<uint8_t>(), 1);
}

TEST(CopyReturnedValueTest, ValueForATensorIsRefused) {
  TestSlot slot(v1::DTYPE_FLOAT32, {1}, 4);
  const MaybeFailed failed = CopyReturnedFloat(1, "y", slot.slot);
  ASSERT_TRUE(failed.has_value());
  EXPECT_EQ(failed->kind(), worker::Failed::WRONG_OUTPUTS);
}

}  // namespace
}  // namespace assay
