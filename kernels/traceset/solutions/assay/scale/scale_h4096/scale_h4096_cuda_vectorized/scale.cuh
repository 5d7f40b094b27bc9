// y = x * factor with 16-byte loads and stores. Kernel and launcher take
// pointers, sizes and a stream and know no framework; the bindings that include
// this file add a signature each.
#pragma once

#include <algorithm>
#include <cstdint>

#include "cuda_util.cuh"

namespace assay {

// Four vectors in flight per thread hide the latency of memory; a loop over the
// grid keeps the number of blocks small however long the tensor is.
constexpr int kUnroll = 4;
constexpr int kThreads = 256;

// Kernel.
template <typename T>
__global__ void __launch_bounds__(kThreads)
    ScaleKernel(const T* __restrict__ x, float factor, int64_t count,
                T* __restrict__ y) {
  constexpr int kSize = Vec<T>::kSize;
  const int64_t num_vecs = count / kSize;
  const int64_t tile = int64_t{kThreads} * kUnroll;
  for (int64_t base = blockIdx.x * tile + threadIdx.x; base < num_vecs;
       base += gridDim.x * tile) {
    Vec<T> value[kUnroll];
#pragma unroll
    for (int u = 0; u < kUnroll; ++u) {
      const int64_t i = base + u * kThreads;
      if (i < num_vecs) value[u] = LoadVec(x + i * kSize);
    }
#pragma unroll
    for (int u = 0; u < kUnroll; ++u) {
      const int64_t i = base + u * kThreads;
      if (i >= num_vecs) continue;
#pragma unroll
      for (int e = 0; e < kSize; ++e) {
        Assign(ToFloat(value[u].lane[e]) * factor, &value[u].lane[e]);
      }
      StoreVec(value[u], y + i * kSize);
    }
  }
  const int64_t tail = num_vecs * kSize + threadIdx.x;
  if (blockIdx.x == 0 && tail < count) {
    Assign(ToFloat(x[tail]) * factor, &y[tail]);
  }
}

// Launcher.
template <typename T>
int Scale(const T* x, float factor, int64_t count, T* y, cudaStream_t stream) {
  constexpr int64_t kMaxBlocks = 16384;
  const int64_t blocks =
      CeilDiv(count, int64_t{kThreads} * kUnroll * Vec<T>::kSize);
  ScaleKernel<<<std::min(blocks, kMaxBlocks), kThreads, 0, stream>>>(x, factor,
                                                                     count, y);
  return LaunchStatus();
}

}  // namespace assay
