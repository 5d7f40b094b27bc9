#include "worker/device/cpu_device.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cstring>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/fd.h"
#include "base/status_testing.h"

namespace assay {
namespace {

constexpr measure::Key kKey = {{1, 2, 3, 4}};

absl::string_view Bytes(const float* values, size_t count) {
  return {reinterpret_cast<const char*>(values), count * sizeof(float)};
}

class CpuDeviceTest : public testing::Test {
 protected:
  CpuDevice device_{CpuDeviceOptions{}};
};

TEST_F(CpuDeviceTest, DescribesTheProcessor) {
  EXPECT_EQ(device_.description().kind(), "cpu");
  EXPECT_THAT(device_.description().model(), testing::Not(testing::IsEmpty()));
  EXPECT_GT(device_.description().memory_bytes(), 0);
  // The worker flushes; a runner has nothing to do.
  EXPECT_EQ(device_.flush_bytes(), 0);
  EXPECT_GT(device_.memory_speed().copy, 1e6);
  EXPECT_GT(device_.memory_speed().ceiling, device_.memory_speed().copy);
}

TEST_F(CpuDeviceTest, UploadIsSeenThroughTheSharedDescriptor) {
  ASSERT_OK_AND_ASSIGN(auto arena, device_.Allocate(4096, ArenaAccess::kWrite));
  const float values[] = {1.5f, -2.0f};
  ASSERT_OK(device_.Upload({arena.get(), 256, 8}, Bytes(values, 2)));
  ASSERT_OK_AND_ASSIGN(UniqueFd fd, arena->Share());
  ASSERT_OK_AND_ASSIGN(Mapping mapping, Mapping::Map(fd.get(), 4096, true));
  EXPECT_EQ(std::memcmp(mapping.data() + 256, values, 8), 0);
}

TEST_F(CpuDeviceTest, UploadOfAnotherSizeIsRefused) {
  ASSERT_OK_AND_ASSIGN(auto arena, device_.Allocate(4096, ArenaAccess::kWrite));
  EXPECT_THAT(device_.Upload({arena.get(), 0, 8}, "abc"),
              StatusIs(absl::StatusCode::kInternal, testing::_));
}

TEST_F(CpuDeviceTest, CopiesIntoMemoryThatIsShared) {
  ASSERT_OK_AND_ASSIGN(auto from, device_.Allocate(4096, ArenaAccess::kRead));
  ASSERT_OK_AND_ASSIGN(auto to, device_.Allocate(8192, ArenaAccess::kRead));
  ASSERT_OK(
      device_.Generate({from.get(), 0, 1024}, v1::DTYPE_FLOAT32, kKey, 7));
  ASSERT_OK(device_.Copy({from.get(), 0, 1024}, {to.get(), 4096, 1024}));
  ASSERT_OK(
      device_.Generate({from.get(), 0, 1024}, v1::DTYPE_FLOAT32, kKey, 8));
  ASSERT_OK_AND_ASSIGN(UniqueFd fd, to->Share());
  ASSERT_OK_AND_ASSIGN(Mapping mapping, Mapping::Map(fd.get(), 8192, false));
  ASSERT_OK_AND_ASSIGN(auto want, device_.Allocate(1024, ArenaAccess::kWrite));
  ASSERT_OK(
      device_.Generate({want.get(), 0, 1024}, v1::DTYPE_FLOAT32, kKey, 7));
  ASSERT_OK_AND_ASSIGN(UniqueFd want_fd, want->Share());
  ASSERT_OK_AND_ASSIGN(Mapping wanted,
                       Mapping::Map(want_fd.get(), 1024, false));
  EXPECT_EQ(std::memcmp(mapping.data() + 4096, wanted.data(), 1024), 0);
  const std::string zeros(1024, '\0');
  EXPECT_EQ(std::memcmp(mapping.data(), zeros.data(), 1024), 0);
  EXPECT_EQ(std::memcmp(mapping.data() + 5120, zeros.data(), 1024), 0);
}

TEST_F(CpuDeviceTest, CopyBetweenRegionsOfDifferentSizesIsRefused) {
  ASSERT_OK_AND_ASSIGN(auto arena, device_.Allocate(4096, ArenaAccess::kWrite));
  EXPECT_THAT(device_.Copy({arena.get(), 0, 8}, {arena.get(), 256, 9}),
              StatusIs(absl::StatusCode::kInternal, testing::_));
}

TEST_F(CpuDeviceTest, MemoryForReadingCannotBeMadeWritable) {
  ASSERT_OK_AND_ASSIGN(auto arena, device_.Allocate(4096, ArenaAccess::kRead));
  ASSERT_OK_AND_ASSIGN(UniqueFd fd, arena->Share());
  EXPECT_FALSE(Mapping::Map(fd.get(), 4096, /*writable=*/true).ok());
  // Nor by opening it anew: only the seal stands in the way of that.
  const UniqueFd reopened(
      open(absl::StrCat("/proc/self/fd/", fd.get()).c_str(), O_RDWR));
  if (reopened.valid()) {
    EXPECT_FALSE(Mapping::Map(reopened.get(), 4096, /*writable=*/true).ok());
    EXPECT_EQ(write(reopened.get(), "x", 1), -1);
  }
  ASSERT_OK_AND_ASSIGN(Mapping mapping, Mapping::Map(fd.get(), 4096, false));
  EXPECT_EQ(mprotect(mapping.data(), 4096, PROT_READ | PROT_WRITE), -1);
  // The worker itself still writes.
  const float value = 3.0f;
  ASSERT_OK(device_.Upload({arena.get(), 0, 4}, Bytes(&value, 1)));
  EXPECT_EQ(std::memcmp(mapping.data(), &value, 4), 0);
}

TEST_F(CpuDeviceTest, GeneratedValuesDependOnKeyAndStream) {
  ASSERT_OK_AND_ASSIGN(auto arena, device_.Allocate(4096, ArenaAccess::kRead));
  const Region first = {arena.get(), 0, 1024};
  const Region second = {arena.get(), 1024, 1024};
  const auto equal = [&](const measure::Key& key, uint32_t stream) {
    EXPECT_OK(device_.Generate(first, v1::DTYPE_FLOAT32, kKey, 7));
    EXPECT_OK(device_.Generate(second, v1::DTYPE_FLOAT32, key, stream));
    return device_.Compare(v1::DTYPE_FLOAT32, {{first, second}}, {0, 0})
               ->front()
               .wrong == 0;
  };
  EXPECT_TRUE(equal(kKey, 7));
  EXPECT_FALSE(equal(kKey, 8));
  EXPECT_FALSE(equal({{1, 2, 3, 5}}, 7));
}

TEST_F(CpuDeviceTest, CompareCountsWrongValuesOfEachPair) {
  ASSERT_OK_AND_ASSIGN(auto arena, device_.Allocate(4096, ArenaAccess::kWrite));
  const float got[] = {1.0f, 2.0f, 3.0f};
  const float want[] = {1.0f, 2.5f, 3.0f};
  const Region got_region = {arena.get(), 0, 12};
  const Region want_region = {arena.get(), 256, 12};
  ASSERT_OK(device_.Upload(got_region, Bytes(got, 3)));
  ASSERT_OK(device_.Upload(want_region, Bytes(want, 3)));
  ASSERT_OK_AND_ASSIGN(
      const std::vector<measure::CompareResult> results,
      device_.Compare(v1::DTYPE_FLOAT32,
                      {{got_region, want_region}, {got_region, got_region}},
                      {1e-2, 1e-2}));
  ASSERT_EQ(results.size(), 2u);
  EXPECT_EQ(results[0].count, 3u);
  EXPECT_EQ(results[0].wrong, 1u);
  EXPECT_EQ(results[0].worst_index, 1u);
  EXPECT_DOUBLE_EQ(results[0].max_abs_error, 0.5);
  EXPECT_EQ(results[1].wrong, 0u);
}

TEST_F(CpuDeviceTest, PoisonShowsDamageInAnyRegion) {
  ASSERT_OK_AND_ASSIGN(auto arena, device_.Allocate(4096, ArenaAccess::kWrite));
  const Region first = {arena.get(), 0, 1024};
  const Region second = {arena.get(), 1024, 100};
  ASSERT_OK(device_.Poison({{first, 3}, {second, 4}}, kKey));
  EXPECT_THAT(device_.ArePoisoned({{first, 3}, {second, 4}}, kKey),
              IsOkAndHolds(true));
  EXPECT_THAT(device_.ArePoisoned({{first, 3}, {second, 5}}, kKey),
              IsOkAndHolds(false));
  ASSERT_OK_AND_ASSIGN(UniqueFd fd, arena->Share());
  ASSERT_OK_AND_ASSIGN(Mapping mapping, Mapping::Map(fd.get(), 4096, true));
  mapping.data()[1024 + 99] ^= 1;
  EXPECT_THAT(device_.ArePoisoned({{first, 3}}, kKey), IsOkAndHolds(true));
  EXPECT_THAT(device_.ArePoisoned({{first, 3}, {second, 4}}, kKey),
              IsOkAndHolds(false));
}

TEST_F(CpuDeviceTest, ChecksumSeesOneBit) {
  ASSERT_OK_AND_ASSIGN(auto arena, device_.Allocate(4096, ArenaAccess::kWrite));
  const Region region = {arena.get(), 0, 4096};
  ASSERT_OK_AND_ASSIGN(const uint64_t before, device_.Checksum(region, kKey));
  ASSERT_OK_AND_ASSIGN(UniqueFd fd, arena->Share());
  ASSERT_OK_AND_ASSIGN(Mapping mapping, Mapping::Map(fd.get(), 4096, true));
  mapping.data()[17] ^= 4;
  ASSERT_OK_AND_ASSIGN(const uint64_t after, device_.Checksum(region, kKey));
  EXPECT_NE(before, after);
}

TEST_F(CpuDeviceTest, VariesFloatsAlone) {
  ASSERT_OK_AND_ASSIGN(auto arena, device_.Allocate(4096, ArenaAccess::kWrite));
  const Region stored = {arena.get(), 0, 64};
  const Region varied = {arena.get(), 1024, 64};
  ASSERT_OK(device_.Generate(stored, v1::DTYPE_FLOAT32, kKey, 0));
  ASSERT_OK(device_.Vary(stored, varied, v1::DTYPE_FLOAT32, kKey, 0));
  ASSERT_OK_AND_ASSIGN(const uint64_t before, device_.Checksum(stored, kKey));
  ASSERT_OK_AND_ASSIGN(const uint64_t after, device_.Checksum(varied, kKey));
  EXPECT_NE(before, after);
  EXPECT_THAT(device_.Vary(stored, varied, v1::DTYPE_INT32, kKey, 0),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       testing::HasSubstr("int32")));
}

TEST_F(CpuDeviceTest, SoftmaxRowsSumToOne) {
  ASSERT_OK_AND_ASSIGN(auto arena, device_.Allocate(4096, ArenaAccess::kWrite));
  const Region region = {arena.get(), 0, 16 * sizeof(float)};
  ASSERT_OK(device_.Generate(region, v1::DTYPE_FLOAT32, kKey, 0));
  ASSERT_OK(device_.SoftmaxRows(region, v1::DTYPE_FLOAT32, 8));
  ASSERT_OK_AND_ASSIGN(UniqueFd fd, arena->Share());
  ASSERT_OK_AND_ASSIGN(Mapping mapping, Mapping::Map(fd.get(), 4096, false));
  const float* values = reinterpret_cast<const float*>(mapping.data());
  for (int row = 0; row < 2; ++row) {
    float sum = 0;
    for (int i = 0; i < 8; ++i) sum += values[row * 8 + i];
    EXPECT_NEAR(sum, 1.0f, 1e-5f);
  }
}

TEST_F(CpuDeviceTest, SoftmaxOfIntegersIsRefused) {
  ASSERT_OK_AND_ASSIGN(auto arena, device_.Allocate(4096, ArenaAccess::kWrite));
  EXPECT_THAT(device_.SoftmaxRows({arena.get(), 0, 64}, v1::DTYPE_INT32, 8),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       testing::HasSubstr("int32")));
}

}  // namespace
}  // namespace assay
