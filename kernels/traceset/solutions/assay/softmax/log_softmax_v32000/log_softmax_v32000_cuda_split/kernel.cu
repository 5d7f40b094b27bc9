// Log-softmax of rows so long, and so few, that a row needs several blocks.
//
// The first kernel gives every block a slice of a row and leaves the slice's
// maximum and sum of exponentials behind. The second merges those of the whole
// row, a handful of numbers, in every block and writes the block's slice.

#include <dlpack/dlpack.h>

#include <algorithm>
#include <cstdint>

#include "cuda_util.cuh"
#include "dl_tensor.h"

namespace assay {
namespace {

constexpr float kLog2E = 1.44269504f;
constexpr int kThreads = 256;
constexpr int kUnroll = 4;
constexpr int kSize = Vec<float>::kSize;
constexpr int kMaxSlices = kWarpSize;
constexpr int kMaxPartials = 1 << 16;

// Sum of 2^(x - max) over some elements, and their maximum.
struct Partial {
  float max;
  float sum;
};

// One per slice. Two calls that run at the same time on two streams would share
// it; a caller that does so needs a workspace of its own.
__device__ Partial partials[kMaxPartials];

__device__ __forceinline__ Partial Merge(Partial a, Partial b) {
  const float max = fmaxf(a.max, b.max);
  if (max == -INFINITY) return {max, 0.0f};
  return {max, a.sum * exp2f(a.max - max) + b.sum * exp2f(b.max - max)};
}

__device__ __forceinline__ Partial WarpMerge(Partial value) {
  for (int offset = kWarpSize / 2; offset > 0; offset /= 2) {
    value = Merge(value, {__shfl_xor_sync(kFullMask, value.max, offset),
                          __shfl_xor_sync(kFullMask, value.sum, offset)});
  }
  return value;
}

// Kernel: block (s, r) reduces slice s of row r. slice is a multiple of kSize.
__global__ void __launch_bounds__(kThreads)
    ReduceKernel(const float* __restrict__ x, float scale, int size,
                 int slice) {
  x += int64_t{blockIdx.y} * size;
  const int first = blockIdx.x * slice;
  const int last = min(first + slice, size);
  Partial mine = {-INFINITY, 0.0f};
  for (int base = first + threadIdx.x * kSize; base < last;
       base += kThreads * kSize * kUnroll) {
    float value[kUnroll][kSize];
    float max = mine.max;
#pragma unroll
    for (int u = 0; u < kUnroll; ++u) {
      const int i = base + u * kThreads * kSize;
      Vec<float> vec;
      if (i < last) vec = LoadVec(x + i);
#pragma unroll
      for (int e = 0; e < kSize; ++e) {
        value[u][e] = i < last ? vec.lane[e] * scale : -INFINITY;
        max = fmaxf(max, value[u][e]);
      }
    }
    mine.sum *= exp2f(mine.max - max);
    mine.max = max;
#pragma unroll
    for (int u = 0; u < kUnroll; ++u) {
#pragma unroll
      for (int e = 0; e < kSize; ++e) mine.sum += exp2f(value[u][e] - max);
    }
  }

  __shared__ Partial warp_partials[kThreads / kWarpSize];
  const int lane = threadIdx.x % kWarpSize;
  const Partial merged = WarpMerge(mine);
  if (lane == 0) warp_partials[threadIdx.x / kWarpSize] = merged;
  __syncthreads();
  if (threadIdx.x >= kWarpSize) return;
  const Partial total =
      WarpMerge(lane < kThreads / kWarpSize ? warp_partials[lane]
                                            : Partial{-INFINITY, 0.0f});
  if (lane == 0) partials[blockIdx.y * gridDim.x + blockIdx.x] = total;
}

// Kernel: block (s, r) writes slice s of row r.
__global__ void __launch_bounds__(kThreads)
    WriteKernel(const float* __restrict__ x, float inverse, int size, int slice,
                float* __restrict__ y) {
  const int lane = threadIdx.x % kWarpSize;
  const Partial total =
      WarpMerge(lane < gridDim.x ? partials[blockIdx.y * gridDim.x + lane]
                                 : Partial{-INFINITY, 0.0f});
  const float log_sum = (total.max + log2f(total.sum)) / kLog2E;
  x += int64_t{blockIdx.y} * size;
  y += int64_t{blockIdx.y} * size;
  const int first = blockIdx.x * slice;
  const int last = min(first + slice, size);
  for (int i = first + threadIdx.x * kSize; i < last; i += kThreads * kSize) {
    Vec<float> value = LoadVec(x + i);
#pragma unroll
    for (int e = 0; e < kSize; ++e) {
      value.lane[e] = value.lane[e] * inverse - log_sum;
    }
    StoreVec(value, y + i);
  }
}

// Launcher.
int LogSoftmax(const float* x, float temperature, int64_t rows, int64_t size,
               float* y, cudaStream_t stream) {
  constexpr int64_t kBlocksWanted = 1024;
  constexpr int64_t kMinSlice = kThreads * kSize * kUnroll;
  if (size % kSize != 0 || rows > kMaxPartials) return kUnsupportedShape;
  const int64_t most = std::min<int64_t>(
      {kMaxSlices, CeilDiv(size, kMinSlice), kMaxPartials / rows});
  const int64_t slices = std::min(most, CeilDiv(kBlocksWanted, rows));
  const int slice = CeilDiv(CeilDiv(size, slices), kSize) * kSize;
  const float inverse = 1.0f / temperature;
  const dim3 grid(slices, rows);
  ReduceKernel<<<grid, kThreads, 0, stream>>>(x, inverse * kLog2E, size, slice);
  WriteKernel<<<grid, kThreads, 0, stream>>>(x, inverse, size, slice, y);
  return LaunchStatus();
}

}  // namespace
}  // namespace assay

// Binding.
extern "C" int log_softmax(const DLTensor* logits, float temperature,
                           DLTensor* logprobs, void* stream) {
  using namespace assay;
  if (!IsFloat32(logits->dtype)) return kUnsupportedDtype;
  return LogSoftmax(Data<float>(logits), temperature, logits->shape[0],
                    logits->shape[1], Data<float>(logprobs),
                    static_cast<cudaStream_t>(stream));
}
