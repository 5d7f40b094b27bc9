#include "kernels/measure/checksum_mixer.h"
#include "kernels/measure/cuda_checksum.h"
#include "kernels/measure/cuda_grid.h"
#include "kernels/measure/cuda_memory.cuh"
#include "kernels/measure/cuda_reduce.cuh"

namespace assay::measure {
namespace {

constexpr int kVectorsPerThread = 4;
constexpr int kTileVectors = kBlockThreads * kVectorsPerThread;
constexpr int kBlocksPerProcessor = 4;

// The terms of the two words in vector number `index`. A word that holds no
// byte of the region has none.
__device__ uint64_t MixVector(const ChecksumMixer& mixer, const Vector& vector,
                              uint64_t index, uint64_t bytes) {
  constexpr int kWords = kVectorBytes / sizeof(uint64_t);
  uint64_t sum = 0;
#pragma unroll
  for (int i = 0; i < kWords; ++i) {
    const uint64_t position = index * kWords + i;
    const uint64_t term = mixer.Mix(UnitOf(vector, i, uint64_t{}), position);
    sum += position * sizeof(uint64_t) < bytes ? term : 0;
  }
  return sum;
}

__global__ void __launch_bounds__(kBlockThreads, kBlocksPerProcessor)
    ChecksumKernel(const void* data, uint64_t bytes, ChecksumMixer mixer,
                   unsigned long long* result) {
  const uint64_t vectors = DivideUp(bytes, kVectorBytes);
  const uint64_t step = static_cast<uint64_t>(gridDim.x) * kTileVectors;
  uint64_t sum = 0;
  for (uint64_t start = static_cast<uint64_t>(blockIdx.x) * kTileVectors;
       start < vectors; start += step) {
    const uint64_t first = start + threadIdx.x;
    Vector tile[kVectorsPerThread];
    LoadTile(data, bytes, first, tile);
#pragma unroll
    for (int i = 0; i < kVectorsPerThread; ++i) {
      sum += MixVector(mixer, tile[i], first + i * kBlockThreads, bytes);
    }
  }
  sum = CombineThreads(sum, Sum());
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) sum += mixer.MixLength(bytes);
  atomicAdd(result, static_cast<unsigned long long>(sum));
}

}  // namespace

cudaError_t ChecksumOnDevice(const void* data, size_t bytes, const Key& key,
                             uint64_t* result, cudaStream_t stream) {
  unsigned int blocks = 0;
  cudaError_t error =
      GridBlocks(DivideUp(DivideUp(bytes, kVectorBytes), kTileVectors),
                 kBlocksPerProcessor, &blocks);
  if (error != cudaSuccess) return error;
  error = cudaMemsetAsync(result, 0, sizeof(*result), stream);
  if (error != cudaSuccess) return error;
  ChecksumKernel<<<blocks, kBlockThreads, 0, stream>>>(
      data, bytes, MakeChecksumMixer(key),
      reinterpret_cast<unsigned long long*>(result));
  return cudaGetLastError();
}

}  // namespace assay::measure
