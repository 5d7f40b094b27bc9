// How fast the measuring kernels are, in bytes of one tensor per second:
//
//   bazel run -c opt //kernels/measure:measure_benchmark

#include <benchmark/benchmark.h>

#include <cstdint>
#include <iterator>
#include <vector>

#include "kernels/measure/checksum.h"
#include "kernels/measure/compare.h"
#include "kernels/measure/element_type.h"
#include "kernels/measure/generate.h"
#include "kernels/measure/philox.h"
#include "kernels/measure/poison.h"
#include "kernels/measure/softmax.h"

namespace assay::measure {
namespace {

// Larger than most caches, as real tensors are: some of these rates are those
// of the memory.
constexpr size_t kTensorBytes = size_t{64} << 20;
constexpr Key kKey = {{1, 2, 3, 4}};

std::vector<char> RandomTensor(ElementType type) {
  std::vector<char> data(kTensorBytes);
  Generate(type, data.data(), kTensorBytes / ElementBytes(type), kKey, 0);
  return data;
}

void CountBytes(benchmark::State& state) {
  state.SetBytesProcessed(static_cast<int64_t>(state.iterations()) *
                          static_cast<int64_t>(kTensorBytes));
}

ElementType TypeOf(const benchmark::State& state) {
  return kElementTypes[state.range(0)];
}

void BM_Generate(benchmark::State& state) {
  const ElementType type = TypeOf(state);
  std::vector<char> data(kTensorBytes);
  for (auto _ : state) {
    Generate(type, data.data(), kTensorBytes / ElementBytes(type), kKey, 0);
    benchmark::ClobberMemory();
  }
  state.SetLabel(ElementTypeName(type));
  CountBytes(state);
}

void BM_Compare(benchmark::State& state) {
  const ElementType type = TypeOf(state);
  const std::vector<char> want = RandomTensor(type);
  const std::vector<char> got = RandomTensor(type);
  for (auto _ : state) {
    benchmark::DoNotOptimize(Compare(type, got.data(), want.data(),
                                     kTensorBytes / ElementBytes(type),
                                     {1e-2, 1e-2}));
  }
  state.SetLabel(ElementTypeName(type));
  CountBytes(state);
}

void BM_Softmax(benchmark::State& state) {
  constexpr size_t kCols = 131072;
  std::vector<char> data = RandomTensor(ElementType::kFloat32);
  for (auto _ : state) {
    SoftmaxRows(ElementType::kFloat32, data.data(),
                kTensorBytes / sizeof(float) / kCols, kCols);
    benchmark::ClobberMemory();
  }
  CountBytes(state);
}

void BM_FillPattern(benchmark::State& state) {
  std::vector<char> data(kTensorBytes);
  for (auto _ : state) {
    FillPattern(data.data(), data.size(), kKey, 0);
    benchmark::ClobberMemory();
  }
  CountBytes(state);
}

void BM_FindDamage(benchmark::State& state) {
  std::vector<char> data(kTensorBytes);
  FillPattern(data.data(), data.size(), kKey, 0);
  for (auto _ : state) {
    benchmark::DoNotOptimize(FindDamage(data.data(), data.size(), kKey, 0));
  }
  CountBytes(state);
}

void BM_Checksum(benchmark::State& state) {
  const std::vector<char> data = RandomTensor(ElementType::kFloat32);
  for (auto _ : state) {
    benchmark::DoNotOptimize(Checksum(data.data(), data.size(), kKey));
  }
  CountBytes(state);
}

constexpr int64_t kLastType = std::size(kElementTypes) - 1;
BENCHMARK(BM_Generate)->DenseRange(0, kLastType);
BENCHMARK(BM_Compare)->DenseRange(0, kLastType);
BENCHMARK(BM_Softmax);
BENCHMARK(BM_FillPattern);
BENCHMARK(BM_FindDamage);
BENCHMARK(BM_Checksum);

}  // namespace
}  // namespace assay::measure

BENCHMARK_MAIN();
