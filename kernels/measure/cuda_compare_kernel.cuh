// The comparing kernel, for any element type. Internal to this folder.
//
// A grid of `blocks_per_task` blocks for each task. Threads read tile after
// tile, each thread kVectorsPerThread vectors of either tensor at a time, and
// summarise; blocks combine the summaries of their threads, and the last block
// of a task to finish those of the blocks.

#ifndef ASSAY_KERNELS_MEASURE_CUDA_COMPARE_KERNEL_CUH_
#define ASSAY_KERNELS_MEASURE_CUDA_COMPARE_KERNEL_CUH_

#include <cuda_runtime.h>

#include <cstdint>

#include "kernels/measure/compare_accumulator.h"
#include "kernels/measure/compare_integers.h"
#include "kernels/measure/compare_small_floats.h"
#include "kernels/measure/compare_small_integers.h"
#include "kernels/measure/compare_summary.h"
#include "kernels/measure/cuda_compare.h"
#include "kernels/measure/cuda_grid.h"
#include "kernels/measure/cuda_memory.cuh"
#include "kernels/measure/vector_codec.h"

namespace assay::measure {

inline constexpr int kVectorsPerThread = 2;
inline constexpr int kTileVectors = kBlockThreads * kVectorsPerThread;
// Blocks that run on a multiprocessor at once: enough bytes on their way to
// keep the memory busy, with 64 registers for each thread.
template <typename Value>
inline constexpr int kCompareBlocksPerProcessor = 4;
// 80 registers: with 64, the addresses of the tensors are in local memory, and
// reading them there waits for all that was read before.
template <>
inline constexpr int kCompareBlocksPerProcessor<double> = 3;
inline constexpr unsigned int kWholeWarp = 0xFFFFFFFFU;

// The memory that blocks of one call share.
struct CompareScratch {
  // For each task, how many of its blocks have finished; 0 at first.
  unsigned int* finished;
  // For each task, a summary by each of its blocks.
  CompareSummary* summaries;
};

// Largest of a number that is not negative over the threads of a warp.
__device__ inline float WarpLargest(float value) {
  // Ordered as integers as they are as numbers.
  return BitCast<float>(
      __reduce_max_sync(kWholeWarp, BitCast<uint32_t>(value)));
}

__device__ inline double WarpLargest(double value) {
  for (int step = 16; step > 0; step /= 2) {
    value = fmax(value, __shfl_xor_sync(kWholeWarp, value, step));
  }
  return value;
}

template <typename Accumulator>
__device__ inline void ShareAcrossWarp(Accumulator* accumulator) {
  accumulator->Raise(WarpLargest(accumulator->max_abs()),
                     WarpLargest(accumulator->max_rel()));
}

template <typename Codec>
__device__ inline void ShareAcrossWarp(IntegerAccumulator<Codec>*) {}

// Called by all threads of a warp together, each with a vector of its own.
template <typename Accumulator>
__device__ inline void CompareVectors(const Vector& got, const Vector& want,
                                      uint64_t first_index,
                                      Accumulator* accumulator) {
  if (!__any_sync(kWholeWarp, Differ(got, want))) return;
  uint32_t units = accumulator->Screen(got, want);
  if (!__any_sync(kWholeWarp, units != 0)) return;
  units = __reduce_or_sync(kWholeWarp, units);
#pragma unroll 1
  for (; units != 0; units &= units - 1) {
    accumulator->AddUnit(__ffs(static_cast<int>(units)) - 1, got, want,
                         first_index);
  }
  ShareAcrossWarp(accumulator);
}

// What one thread sees of a task.
template <typename Accumulator>
__device__ inline CompareSummary CompareTiles(const CompareTask& task,
                                              unsigned int block,
                                              unsigned int blocks,
                                              Accumulator accumulator) {
  using Shape = typename Accumulator::Shape;
  using Codec = typename Accumulator::Codec;
  constexpr uint64_t kTileBytes = uint64_t{kTileVectors} * kVectorBytes;
  const uint64_t bytes = task.elements * ElementBytesOf<Codec>();
  for (uint64_t start = block * kTileBytes; start < bytes;
       start += blocks * kTileBytes) {
    const uint64_t first = start / kVectorBytes + threadIdx.x;
    Vector got[kVectorsPerThread];
    Vector want[kVectorsPerThread];
    LoadTile(task.got, bytes, first, got);
    LoadTile(task.want, bytes, first, want);
#pragma unroll
    for (int i = 0; i < kVectorsPerThread; ++i) {
      CompareVectors(got[i], want[i],
                     (first + i * kBlockThreads) * Shape::kValues,
                     &accumulator);
    }
  }
  return accumulator.Summary();
}

// The summary of a block, in its first thread. `shared` has room for
// kBlockThreads summaries.
__device__ inline CompareSummary CombineBlock(const CompareSummary& mine,
                                              CompareSummary* shared) {
  shared[threadIdx.x] = mine;
  __syncthreads();
  for (unsigned int half = kBlockThreads / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) {
      Combine(shared[threadIdx.x + half], &shared[threadIdx.x]);
    }
    __syncthreads();
  }
  return shared[0];
}

// Whether this block is the last one of its task to get here. What the others
// wrote before can then be read.
__device__ inline bool IsLast(unsigned int blocks, unsigned int* finished) {
  __shared__ bool last;
  if (threadIdx.x == 0) {
    __threadfence();
    last = atomicAdd(finished, 1U) == blocks - 1;
    __threadfence();
  }
  __syncthreads();
  return last;
}

__device__ inline CompareSummary CombineBlocks(const CompareSummary* summaries,
                                               unsigned int blocks,
                                               CompareSummary* shared) {
  CompareSummary mine = {};
  for (unsigned int i = threadIdx.x; i < blocks; i += kBlockThreads) {
    Combine(summaries[i], &mine);
  }
  return CombineBlock(mine, shared);
}

template <typename Accumulator>
__global__ void __launch_bounds__(
    kBlockThreads,
    kCompareBlocksPerProcessor<typename Accumulator::Codec::Value>)
    CompareKernel(const CompareTask* tasks, unsigned int blocks_per_task,
                  Accumulator start, CompareResult* results,
                  CompareScratch scratch) {
  using Codec = typename Accumulator::Codec;
  __shared__ CompareSummary shared[kBlockThreads];
  const unsigned int index = blockIdx.x / blocks_per_task;
  const unsigned int block = blockIdx.x % blocks_per_task;
  const CompareTask task = tasks[index];
  CompareSummary summary =
      CombineBlock(CompareTiles(task, block, blocks_per_task, start), shared);
  if (blocks_per_task > 1) {
    CompareSummary* summaries =
        scratch.summaries + static_cast<uint64_t>(index) * blocks_per_task;
    if (threadIdx.x == 0) summaries[block] = summary;
    if (!IsLast(blocks_per_task, scratch.finished + index)) return;
    summary = CombineBlocks(summaries, blocks_per_task, shared);
  }
  if (threadIdx.x == 0) {
    const uint64_t values =
        task.elements * (ElementBytesOf<Codec>() * 8 / Codec::kBits);
    StoreResult(summary, values, &results[index]);
  }
}

}  // namespace assay::measure

#endif  // ASSAY_KERNELS_MEASURE_CUDA_COMPARE_KERNEL_CUH_
