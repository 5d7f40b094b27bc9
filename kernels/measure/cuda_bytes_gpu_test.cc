// Tests of what treats tensors as bytes: patterns and checksums.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <vector>

#include "kernels/measure/checksum.h"
#include "kernels/measure/cuda_checksum.h"
#include "kernels/measure/cuda_gpu_test.h"
#include "kernels/measure/cuda_poison.h"
#include "kernels/measure/cuda_testing.h"
#include "kernels/measure/poison.h"

namespace assay::measure {
namespace {

constexpr Key kKey = {{9, 0xFFFFFFFF, 7, 6}};
constexpr uint64_t kIntactOnDevice = UINT64_MAX;
constexpr uint64_t kHuge = (uint64_t{1} << 32) + 12345;

class PatternsOnDeviceTest : public GpuTest {};

TEST_F(PatternsOnDeviceTest, FillsRegionsAtAnyByteAndNothingElse) {
  constexpr size_t kSizes[] = {0, 1, 15, 16, 17, 31, 255, 256, 4096, 100001};
  constexpr size_t kPlace = 100001 + 64;
  constexpr size_t kOffsets = 18;
  const size_t regions = std::size(kSizes) * kOffsets;
  const DeviceBuffer data(regions * kPlace);
  data.Fill(0x77);
  std::vector<unsigned char> expected(data.bytes(), 0x77);
  std::vector<PatternTask> tasks;
  for (size_t i = 0; i < regions; ++i) {
    const size_t start = i * kPlace + i % kOffsets;
    const size_t bytes = kSizes[i / kOffsets];
    const auto stream = static_cast<uint32_t>(i);
    tasks.push_back({data.get() + start, bytes, stream});
    FillPattern(expected.data() + start, bytes, kKey, stream);
  }
  const DeviceArray<PatternTask> device_tasks(tasks);
  ASSERT_EQ(FillPatternsOnDevice(device_tasks.get(), static_cast<int>(regions),
                                 100001, kKey, nullptr),
            cudaSuccess);
  EXPECT_TRUE(data.Download() == expected);
}

std::vector<uint64_t> FindDamages(const std::vector<PatternTask>& tasks,
                                  uint64_t max_bytes) {
  const DeviceArray<PatternTask> device_tasks(tasks);
  const DeviceArray<uint64_t> damages(std::vector<uint64_t>(tasks.size(), 3));
  CheckCuda(
      FindDamageOnDevice(device_tasks.get(), static_cast<int>(tasks.size()),
                         max_bytes, kKey, damages.get(), nullptr),
      "FindDamageOnDevice");
  return damages.Download();
}

// A region for each of its bytes, damaged from there on now and then: by one
// bit in that byte, and in every seventh byte after it.
TEST_F(PatternsOnDeviceTest, FindsTheFirstDamagedByteWhereverItIs) {
  constexpr size_t kBytes = 600;
  for (const size_t offset : {0, 1, 4, 13}) {
    constexpr size_t kPlace = 640;
    std::vector<unsigned char> host(kBytes * kPlace);
    const DeviceBuffer data(host.size());
    std::vector<PatternTask> tasks;
    for (size_t damaged = 0; damaged < kBytes; ++damaged) {
      unsigned char* region = host.data() + damaged * kPlace + offset;
      FillPattern(region, kBytes, kKey, 2);
      for (size_t i = damaged; i < kBytes; i += 7) {
        region[i] ^= static_cast<unsigned char>(1U << (damaged % 8));
      }
      tasks.push_back({data.get() + damaged * kPlace + offset, kBytes, 2});
    }
    data.Upload(host.data(), host.size());
    const std::vector<uint64_t> damages = FindDamages(tasks, kBytes);
    for (size_t i = 0; i < kBytes; ++i) ASSERT_EQ(damages[i], i);
  }
}

TEST_F(PatternsOnDeviceTest, IntactRegionsAreIntact) {
  const DeviceBuffer data(100000);
  data.Fill(0x77);
  std::vector<PatternTask> tasks;
  for (uint32_t i = 0; i < 40; ++i) {
    tasks.push_back({data.get() + i * 2000 + i % 19, i * 40, i});
  }
  const DeviceArray<PatternTask> device_tasks(tasks);
  CheckCuda(FillPatternsOnDevice(device_tasks.get(), 40, 1600, kKey, nullptr),
            "FillPatternsOnDevice");
  EXPECT_EQ(FindDamages(tasks, 1600),
            std::vector<uint64_t>(40, kIntactOnDevice));
}

TEST_F(PatternsOnDeviceTest, OneRegionBeyondFourGigabytes) {
  const DeviceBuffer data(kHuge);
  const std::vector<PatternTask> tasks = {{data.get(), kHuge, 1}};
  const DeviceArray<PatternTask> device_tasks(tasks);
  CheckCuda(FillPatternsOnDevice(device_tasks.get(), 1, kHuge, kKey, nullptr),
            "FillPatternsOnDevice");
  EXPECT_EQ(FindDamages(tasks, kHuge)[0], kIntactOnDevice);
  const std::vector<unsigned char> last = data.Download(kHuge - 1, 1);
  const unsigned char other = last[0] ^ 0x80;
  data.Upload(&other, 1, kHuge - 1);
  EXPECT_EQ(FindDamages(tasks, kHuge)[0], kHuge - 1);
}

TEST_F(PatternsOnDeviceTest, OfNoTasksThereIsNothingToDo) {
  EXPECT_EQ(FillPatternsOnDevice(nullptr, 0, 0, kKey, nullptr), cudaSuccess);
  EXPECT_EQ(FindDamageOnDevice(nullptr, 0, 0, kKey, nullptr, nullptr),
            cudaSuccess);
}

class ChecksumOnDeviceTest : public GpuTest {};

uint64_t DeviceChecksum(const void* data, size_t bytes) {
  const DeviceArray<uint64_t> result(std::vector<uint64_t>{12345});
  CheckCuda(ChecksumOnDevice(data, bytes, kKey, result.get(), nullptr),
            "ChecksumOnDevice");
  return result.Download()[0];
}

TEST_F(ChecksumOnDeviceTest, AgreesWithTheCpuForAnyLengthAndAlignment) {
  std::vector<unsigned char> host(1000003 + 32);
  FillPattern(host.data(), host.size(), kKey, 4);
  const DeviceBuffer data(host.size());
  data.Upload(host.data(), host.size());
  std::vector<size_t> sizes = {255, 256, 257, 16384, 16385, 1000003};
  for (size_t size = 0; size < 40; ++size) sizes.push_back(size);
  for (const size_t offset : {0, 1, 8, 15, 16}) {
    for (const size_t bytes : sizes) {
      EXPECT_EQ(DeviceChecksum(data.get() + offset, bytes),
                Checksum(host.data() + offset, bytes, kKey))
          << bytes << " bytes from byte " << offset;
    }
  }
}

TEST_F(ChecksumOnDeviceTest, AgreesWithTheCpuBeyondFourGigabytes) {
  const DeviceBuffer data(kHuge);
  const DeviceArray<PatternTask> tasks(
      std::vector<PatternTask>{{data.get(), kHuge, 1}});
  CheckCuda(FillPatternsOnDevice(tasks.get(), 1, kHuge, kKey, nullptr),
            "FillPatternsOnDevice");
  const std::vector<unsigned char> host = data.Download();
  EXPECT_EQ(DeviceChecksum(data.get(), kHuge),
            Checksum(host.data(), kHuge, kKey));
}

}  // namespace
}  // namespace assay::measure
