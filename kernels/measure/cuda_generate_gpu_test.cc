#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <vector>

#include "kernels/measure/cuda_generate.h"
#include "kernels/measure/cuda_gpu_test.h"
#include "kernels/measure/cuda_softmax.h"
#include "kernels/measure/cuda_testing.h"
#include "kernels/measure/generate.h"
#include "kernels/measure/random_values.h"
#include "kernels/measure/softmax.h"
#include "kernels/measure/vector_encode.h"

namespace assay::measure {
namespace {

constexpr Key kKey = {{0xDEADBEEF, 2, 0x80000000, 4}};
constexpr size_t kGuard = 64;

class GenerateOnDeviceTest : public TypedGpuTest {};

TEST_P(GenerateOnDeviceTest, WritesTheBitsOfTheCpuAndNoOthers) {
  for (const size_t count :
       {0, 1, 2, 3, 4, 5, 15, 16, 17, 255, 256, 257, 4097, 1000003}) {
    const size_t bytes = count * ElementBytes(GetParam());
    std::vector<unsigned char> expected(bytes + kGuard, 0x77);
    Generate(GetParam(), expected.data(), count, kKey, 5);
    const DeviceBuffer data(bytes + kGuard);
    data.Fill(0x77);
    ASSERT_EQ(GenerateOnDevice(GetParam(), data.get(), count, kKey, 5, nullptr),
              cudaSuccess);
    EXPECT_TRUE(data.Download() == expected) << count << " elements";
  }
}

INSTANTIATE_TEST_SUITE_P(AllTypes, GenerateOnDeviceTest,
                         testing::ValuesIn(kElementTypes), TypeName);

class LargeGenerateOnDeviceTest : public GpuTest {};

// Values first to first + count - 1, of 8 a vector, as the CPU makes them.
std::vector<unsigned char> ValuesFrom(uint64_t first, size_t count) {
  const NormalSource<BFloat16Codec> source = {
      MakeStream(kKey, Domain::kValues, 0)};
  std::vector<unsigned char> data(count * 2);
  for (size_t i = 0; i < count / 8; ++i) {
    float values[8];
    source.Block((first + i * 8) / 4, values);
    source.Block((first + i * 8) / 4 + 1, values + 4);
    const Vector vector = EncodeVector<BFloat16Codec>(values);
    std::memcpy(data.data() + i * kVectorBytes, &vector, kVectorBytes);
  }
  return data;
}

TEST_F(LargeGenerateOnDeviceTest, IsRightBeyondFourGigabytes) {
  constexpr uint64_t kCount = (uint64_t{1} << 32) + 4096;
  constexpr size_t kSpot = 1024;
  const DeviceBuffer data(kCount * 2);
  ASSERT_EQ(GenerateOnDevice(ElementType::kBFloat16, data.get(), kCount, kKey,
                             0, nullptr),
            cudaSuccess);
  for (const uint64_t first :
       {uint64_t{0}, (uint64_t{1} << 30) - 512, (uint64_t{1} << 31) - 512,
        (uint64_t{1} << 32) - 512, kCount - kSpot}) {
    EXPECT_TRUE(data.Download(first * 2, kSpot * 2) == ValuesFrom(first, kSpot))
        << "values from " << first;
  }
}

TEST_F(LargeGenerateOnDeviceTest, RefusesMemoryThatIsNotAligned) {
  const DeviceBuffer data(1024);
  EXPECT_EQ(GenerateOnDevice(ElementType::kFloat32, data.get() + 8, 4, kKey, 0,
                             nullptr),
            cudaErrorMisalignedAddress);
}

class SoftmaxRowsOnDeviceTest : public TypedGpuTest {};

TEST_P(SoftmaxRowsOnDeviceTest, WritesTheBitsOfTheCpu) {
  struct Shape {
    size_t rows;
    size_t cols;
  };
  constexpr Shape kShapes[] = {{0, 5},     {5, 0},      {1, 1},
                               {3, 7},     {2, 255},    {5, 257},
                               {5000, 32}, {2, 131075}, {1, 2000000}};
  for (const Shape& shape : kShapes) {
    const size_t count = shape.rows * shape.cols;
    std::vector<unsigned char> expected(count * ElementBytes(GetParam()));
    Generate(GetParam(), expected.data(), count, kKey, 1);
    for (size_t i = 0; i < count; i += 3) {
      // Far apart, so that some terms vanish.
      const double value = LoadAsDouble(GetParam(), expected.data(), i);
      StoreFromDouble(GetParam(), value * 25, expected.data(), i);
    }
    const DeviceBuffer data(expected.size());
    data.Upload(expected.data(), expected.size());
    ASSERT_TRUE(
        SoftmaxRows(GetParam(), expected.data(), shape.rows, shape.cols));
    ASSERT_EQ(SoftmaxRowsOnDevice(GetParam(), data.get(), shape.rows,
                                  shape.cols, nullptr),
              cudaSuccess);
    EXPECT_TRUE(data.Download() == expected)
        << shape.rows << " rows of " << shape.cols;
  }
}

INSTANTIATE_TEST_SUITE_P(AllTypes, SoftmaxRowsOnDeviceTest,
                         testing::Values(ElementType::kFloat32,
                                         ElementType::kFloat16,
                                         ElementType::kBFloat16),
                         TypeName);

class SoftmaxRefusalOnDeviceTest : public GpuTest {};

TEST_F(SoftmaxRefusalOnDeviceTest, OtherTypesAreLeftAsTheyAre) {
  const DeviceBuffer data(64);
  data.Fill(0x12);
  EXPECT_EQ(
      SoftmaxRowsOnDevice(ElementType::kFloat64, data.get(), 1, 8, nullptr),
      cudaErrorInvalidValue);
  EXPECT_EQ(data.Download(), std::vector<unsigned char>(64, 0x12));
}

}  // namespace
}  // namespace assay::measure
