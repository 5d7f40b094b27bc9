#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <iterator>
#include <vector>

#include "kernels/measure/compare_testing.h"
#include "kernels/measure/cuda_compare.h"
#include "kernels/measure/cuda_generate.h"
#include "kernels/measure/cuda_gpu_test.h"
#include "kernels/measure/cuda_testing.h"
#include "kernels/measure/generate.h"

namespace assay::measure {
namespace {

constexpr size_t kCounts[] = {0, 1, 2, 3, 255, 256, 257, 5001, 1000003};

// With scratch memory and results that hold rubbish at first.
std::vector<CompareResult> CompareTasks(ElementType type,
                                        const std::vector<CompareTask>& tasks,
                                        uint64_t max_elements,
                                        const Tolerance& tolerance) {
  const int count = static_cast<int>(tasks.size());
  const DeviceArray<CompareTask> device_tasks(tasks);
  const DeviceArray<CompareResult> results(
      std::vector<CompareResult>(tasks.size(), {9, 9, 9, 9, 9, 9, 9, 9}));
  const DeviceBuffer scratch(CompareScratchBytes(count));
  scratch.Fill(0xAB);
  CheckCuda(CompareOnDevice(type, device_tasks.get(), count, max_elements,
                            tolerance, results.get(), scratch.get(), nullptr),
            "CompareOnDevice");
  return results.Download();
}

class CompareOnDeviceTest : public TypedGpuTest {};

TEST_P(CompareOnDeviceTest, AgreesWithTheCpu) {
  for (const PairKind kind : kPairKinds) {
    for (const size_t count : kCounts) {
      const TensorPair pair = MakePair(GetParam(), kind, count);
      const DeviceBuffer got(pair.got.size());
      const DeviceBuffer want(pair.want.size());
      got.Upload(pair.got.data(), pair.got.size());
      want.Upload(pair.want.data(), pair.want.size());
      for (const Tolerance& tolerance : kTestTolerances) {
        const std::vector<CompareResult> results = CompareTasks(
            GetParam(), {{got.get(), want.get(), count}}, count, tolerance);
        EXPECT_EQ(
            Difference(results[0], Compare(GetParam(), pair.got.data(),
                                           pair.want.data(), count, tolerance)),
            "")
            << PairKindName(kind) << ", " << count << " elements, tolerance "
            << tolerance.atol << ", " << tolerance.rtol;
      }
    }
  }
}

TEST_P(CompareOnDeviceTest, ComparesManyTensorsOfAnySizeAndAlignment) {
  constexpr size_t kTasks = 40;
  constexpr size_t kMaxElements = 50000;
  constexpr size_t kPlace = (kMaxElements + 8) * 8;
  const DeviceBuffer got(kTasks * kPlace);
  const DeviceBuffer want(kTasks * kPlace);
  std::vector<CompareTask> tasks;
  std::vector<CompareResult> expected;
  for (size_t i = 0; i < kTasks; ++i) {
    const size_t count = i == 7 ? kMaxElements : i * i * 31;
    const size_t got_offset = i * kPlace + i % 17;
    const size_t want_offset = i * kPlace + i % 5;
    const TensorPair pair =
        MakePair(GetParam(), kPairKinds[i % std::size(kPairKinds)], count);
    got.Upload(pair.got.data(), pair.got.size(), got_offset);
    want.Upload(pair.want.data(), pair.want.size(), want_offset);
    tasks.push_back({got.get() + got_offset, want.get() + want_offset, count});
    expected.push_back(Compare(GetParam(), pair.got.data(), pair.want.data(),
                               count, {0.01, 0.01}));
  }
  const std::vector<CompareResult> results =
      CompareTasks(GetParam(), tasks, kMaxElements, {0.01, 0.01});
  for (size_t i = 0; i < kTasks; ++i) {
    EXPECT_EQ(Difference(results[i], expected[i]), "") << "task " << i;
  }
}

TEST_P(CompareOnDeviceTest, ReadsNothingBehindTheEnd) {
  const size_t bytes = 100 * ElementBytes(GetParam());
  const TensorPair pair = MakePair(GetParam(), PairKind::kEqual, 100);
  const DeviceBuffer got(bytes + 16);
  const DeviceBuffer want(bytes + 16);
  got.Fill(0x11);
  want.Fill(0x22);
  got.Upload(pair.got.data(), bytes);
  want.Upload(pair.want.data(), bytes);
  const std::vector<CompareResult> results =
      CompareTasks(GetParam(), {{got.get(), want.get(), 100}}, 100, {0, 0});
  EXPECT_EQ(results[0].wrong, 0U);
  EXPECT_EQ(results[0].count, 100 * ValuesPerElement(GetParam()));
}

INSTANTIATE_TEST_SUITE_P(AllTypes, CompareOnDeviceTest,
                         testing::ValuesIn(kElementTypes), TypeName);

class CompareFloatsOnDeviceTest : public GpuTest {};

TEST_F(CompareFloatsOnDeviceTest, WorstIsTheFirstOfEqualsAcrossBlocks) {
  constexpr size_t kCount = size_t{1} << 22;
  const std::vector<float> want(kCount, 1.0F);
  std::vector<float> got = want;
  // In the order in which blocks are likely to finish, and not.
  for (const size_t place : {kCount - 1, size_t{3000001}, size_t{70000}}) {
    got[place] = 5;
    const DeviceArray<float> device_got(got);
    const DeviceArray<float> device_want(want);
    const std::vector<CompareResult> results = CompareTasks(
        ElementType::kFloat32, {{device_got.get(), device_want.get(), kCount}},
        kCount, {0.1, 0.1});
    EXPECT_EQ(results[0].worst_index, place);
    EXPECT_EQ(results[0].worst_got, 5);
    EXPECT_EQ(results[0].max_abs_error, 4);
  }
}

TEST_F(CompareFloatsOnDeviceTest, SeesErrorsBeyondFourGigabytes) {
  constexpr uint64_t kCount = (uint64_t{1} << 32) + 12345;
  constexpr uint64_t kPlace = (uint64_t{1} << 32) + 777;
  constexpr Key kKey = {{1, 2, 3, 4}};
  constexpr ElementType kType = ElementType::kFloat8E4M3FN;
  const DeviceBuffer got(kCount);
  const DeviceBuffer want(kCount);
  CheckCuda(GenerateOnDevice(kType, got.get(), kCount, kKey, 0, nullptr), "");
  CheckCuda(GenerateOnDevice(kType, want.get(), kCount, kKey, 0, nullptr), "");
  unsigned char worst = 0;
  StoreFromDouble(kType, -240, &worst, 0);
  got.Upload(&worst, 1, kPlace);
  const std::vector<CompareResult> results = CompareTasks(
      kType, {{got.get(), want.get(), kCount}}, kCount, {0.1, 0.1});
  EXPECT_EQ(results[0].count, kCount);
  EXPECT_EQ(results[0].wrong, 1U);
  EXPECT_EQ(results[0].worst_index, kPlace);
  EXPECT_EQ(results[0].worst_got, -240);
}

TEST_F(CompareFloatsOnDeviceTest, OfNoTasksThereIsNothingToDo) {
  EXPECT_EQ(CompareOnDevice(ElementType::kFloat32, nullptr, 0, 0, {0, 0},
                            nullptr, nullptr, nullptr),
            cudaSuccess);
  EXPECT_EQ(CompareOnDevice(ElementType::kFloat32, nullptr, -1, 0, {0, 0},
                            nullptr, nullptr, nullptr),
            cudaErrorInvalidValue);
}

}  // namespace
}  // namespace assay::measure
