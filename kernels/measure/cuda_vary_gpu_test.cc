#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "kernels/measure/cuda_gpu_test.h"
#include "kernels/measure/cuda_testing.h"
#include "kernels/measure/cuda_vary.h"
#include "kernels/measure/generate.h"
#include "kernels/measure/vary.h"

namespace assay::measure {
namespace {

constexpr Key kKey = {{0xDEADBEEF, 2, 0x80000000, 4}};
constexpr size_t kGuard = 64;

class VaryOnDeviceTest : public TypedGpuTest {};

// Random values, of every size, and what is special.
std::vector<unsigned char> Stored(ElementType type, size_t count) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  constexpr double kSpecial[] = {0,
                                 -0.0,
                                 kInfinity,
                                 -kInfinity,
                                 448,
                                 65504,
                                 1e-45,
                                 1e-7,
                                 57344,
                                 0x1.fffffep127,
                                 std::numeric_limits<double>::quiet_NaN()};
  std::vector<unsigned char> data(count * ElementBytes(type));
  Generate(type, data.data(), count, kKey, 1);
  for (size_t i = 0; i < count; i += 7) {
    StoreFromDouble(type, kSpecial[i / 7 % 11], data.data(), i);
  }
  return data;
}

TEST_P(VaryOnDeviceTest, WritesTheBitsOfTheCpuAndNoOthers) {
  for (const size_t count : {0, 1, 3, 4, 5, 255, 257, 4097, 1000003}) {
    const std::vector<unsigned char> stored = Stored(GetParam(), count);
    std::vector<unsigned char> expected(stored.size() + kGuard, 0x77);
    ASSERT_TRUE(
        Vary(GetParam(), stored.data(), expected.data(), count, kKey, 5));
    const DeviceBuffer from(stored.size());
    from.Upload(stored.data(), stored.size());
    const DeviceBuffer to(expected.size());
    to.Fill(0x77);
    ASSERT_EQ(
        VaryOnDevice(GetParam(), from.get(), to.get(), count, kKey, 5, nullptr),
        cudaSuccess);
    EXPECT_TRUE(to.Download() == expected) << count << " elements";
  }
}

INSTANTIATE_TEST_SUITE_P(
    AllTypes, VaryOnDeviceTest,
    testing::Values(ElementType::kFloat64, ElementType::kFloat32,
                    ElementType::kFloat16, ElementType::kBFloat16,
                    ElementType::kFloat8E4M3FN, ElementType::kFloat8E5M2),
    TypeName);

}  // namespace
}  // namespace assay::measure
