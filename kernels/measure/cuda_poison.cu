#include "kernels/measure/cuda_grid.h"
#include "kernels/measure/cuda_memory.cuh"
#include "kernels/measure/cuda_poison.h"

namespace assay::measure {
namespace {

constexpr int kVectorsPerThread = 4;
constexpr int kTileVectors = kBlockThreads * kVectorsPerThread;
constexpr int kBlocksPerProcessor = 4;

__device__ Vector PatternVector(const RandomStream& random, uint64_t index) {
  Vector vector;
  random.Block(index, vector.words);
  return vector;
}

// Calls `use(first)` for tile after tile of this block's task, where `first` is
// the first vector of this thread in the tile; the others are kBlockThreads
// apart.
template <typename Use>
__device__ void ForEachTile(uint64_t bytes, unsigned int block,
                            unsigned int blocks, Use use) {
  const uint64_t vectors = DivideUp(bytes, kVectorBytes);
  const uint64_t step = static_cast<uint64_t>(blocks) * kTileVectors;
  for (uint64_t start = static_cast<uint64_t>(block) * kTileVectors;
       start < vectors; start += step) {
    use(start + threadIdx.x);
  }
}

__global__ void __launch_bounds__(kBlockThreads, kBlocksPerProcessor)
    FillKernel(const PatternTask* tasks, unsigned int blocks_per_task,
               Key key) {
  const PatternTask task = tasks[blockIdx.x / blocks_per_task];
  const unsigned int block = blockIdx.x % blocks_per_task;
  const RandomStream random = MakeStream(key, Domain::kPattern, task.stream);
  ForEachTile(task.bytes, block, blocks_per_task, [&](uint64_t first) {
#pragma unroll
    for (int i = 0; i < kVectorsPerThread; ++i) {
      const uint64_t index = first + i * kBlockThreads;
      StoreVectorOf(PatternVector(random, index), task.data, task.bytes, index);
    }
  });
}

// Offset of the first byte within a vector that differs. One does.
__device__ int FirstDifference(const Vector& found, const Vector& pattern) {
  int offset = 0;
  for (int i = 3; i >= 0; --i) {
    const uint32_t bits = found.words[i] ^ pattern.words[i];
    if (bits != 0) offset = 4 * i + (__ffs(static_cast<int>(bits)) - 1) / 8;
  }
  return offset;
}

// The pattern as far as the region goes: what is behind its end reads as 0.
__device__ Vector Shortened(const Vector& vector, uint64_t bytes) {
  if (bytes >= kVectorBytes) return vector;
  Vector shortened = vector;
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    const uint64_t rest = bytes > 4 * i ? bytes - 4 * i : 0;
    const auto bits = static_cast<uint32_t>(8 * rest);
    if (rest < 4) shortened.words[i] &= (1U << bits) - 1;
  }
  return shortened;
}

__device__ void FindDamageIn(const PatternTask& task,
                             const RandomStream& random, uint64_t index,
                             const Vector& found,
                             unsigned long long* first_damage) {
  const uint64_t offset = index * kVectorBytes;
  if (offset >= task.bytes) return;
  const Vector pattern =
      Shortened(PatternVector(random, index), task.bytes - offset);
  if (!Differ(found, pattern)) return;
  const auto place = static_cast<uint64_t>(FirstDifference(found, pattern));
  atomicMin(first_damage, static_cast<unsigned long long>(offset + place));
}

__global__ void __launch_bounds__(kBlockThreads, kBlocksPerProcessor)
    FindDamageKernel(const PatternTask* tasks, unsigned int blocks_per_task,
                     Key key, unsigned long long* first_damage) {
  const unsigned int number = blockIdx.x / blocks_per_task;
  const PatternTask task = tasks[number];
  const unsigned int block = blockIdx.x % blocks_per_task;
  const RandomStream random = MakeStream(key, Domain::kPattern, task.stream);
  ForEachTile(task.bytes, block, blocks_per_task, [&](uint64_t first) {
    Vector found[kVectorsPerThread];
    LoadTile(task.data, task.bytes, first, found);
#pragma unroll
    for (int i = 0; i < kVectorsPerThread; ++i) {
      FindDamageIn(task, random, first + i * kBlockThreads, found[i],
                   first_damage + number);
    }
  });
}

cudaError_t BlocksPerTask(uint64_t max_bytes, unsigned int* blocks) {
  const uint64_t vectors = DivideUp(max_bytes, kVectorBytes);
  return GridBlocks(DivideUp(vectors, kTileVectors), kBlocksPerProcessor,
                    blocks);
}

}  // namespace

cudaError_t FillPatternsOnDevice(const PatternTask* tasks, int count,
                                 uint64_t max_bytes, const Key& key,
                                 cudaStream_t stream) {
  if (count <= 0) return count == 0 ? cudaSuccess : cudaErrorInvalidValue;
  unsigned int blocks = 0;
  const cudaError_t error = BlocksPerTask(max_bytes, &blocks);
  if (error != cudaSuccess) return error;
  FillKernel<<<static_cast<unsigned int>(count) * blocks, kBlockThreads, 0,
               stream>>>(tasks, blocks, key);
  return cudaGetLastError();
}

cudaError_t FindDamageOnDevice(const PatternTask* tasks, int count,
                               uint64_t max_bytes, const Key& key,
                               uint64_t* first_damage, cudaStream_t stream) {
  if (count <= 0) return count == 0 ? cudaSuccess : cudaErrorInvalidValue;
  unsigned int blocks = 0;
  cudaError_t error = BlocksPerTask(max_bytes, &blocks);
  if (error != cudaSuccess) return error;
  // UINT64_MAX: intact.
  error = cudaMemsetAsync(first_damage, 0xFF,
                          static_cast<size_t>(count) * sizeof(*first_damage),
                          stream);
  if (error != cudaSuccess) return error;
  FindDamageKernel<<<static_cast<unsigned int>(count) * blocks, kBlockThreads,
                     0, stream>>>(
      tasks, blocks, key, reinterpret_cast<unsigned long long*>(first_damage));
  return cudaGetLastError();
}

}  // namespace assay::measure
