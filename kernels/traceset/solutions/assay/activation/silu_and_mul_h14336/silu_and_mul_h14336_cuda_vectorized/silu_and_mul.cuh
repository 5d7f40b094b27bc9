// y = gate / (1 + exp(-gate)) * up with 16-byte loads and stores, two vectors
// of each half in flight per thread. Rows are the grid's second dimension, so
// no thread divides.
//
// Kernel and launcher take pointers, sizes and a stream and know no framework;
// the bindings that include this file add a signature each.
#pragma once

#include <cstdint>

#include "cuda_util.cuh"
#include "dl_tensor.h"  // for the error codes

namespace assay {

constexpr int kThreads = 256;
constexpr int kVecs = 2;

// Kernel.
template <typename T>
__global__ void __launch_bounds__(kThreads)
    SiluAndMulKernel(const T* __restrict__ x, int64_t size, T* __restrict__ y) {
  constexpr int kSize = Vec<T>::kSize;
  const T* gate = x + int64_t{blockIdx.x} * 2 * size;
  const T* up = gate + size;
  y += int64_t{blockIdx.x} * size;
  const int first = blockIdx.y * kVecs * kThreads + threadIdx.x;
  Vec<T> g[kVecs], u[kVecs];
#pragma unroll
  for (int v = 0; v < kVecs; ++v) {
    const int i = (first + v * kThreads) * kSize;
    if (i >= size) break;
    g[v] = LoadVec(gate + i);
    u[v] = LoadVec(up + i);
  }
#pragma unroll
  for (int v = 0; v < kVecs; ++v) {
    const int i = (first + v * kThreads) * kSize;
    if (i >= size) break;
#pragma unroll
    for (int e = 0; e < kSize; ++e) {
      const float value = ToFloat(g[v].lane[e]);
      const float silu = __fdividef(value, 1.0f + __expf(-value));
      Assign(silu * ToFloat(u[v].lane[e]), &g[v].lane[e]);
    }
    StoreVec(g[v], y + i);
  }
}

// Launcher.
template <typename T>
int SiluAndMul(const T* x, int64_t rows, int64_t size, T* y,
               cudaStream_t stream) {
  constexpr int kSize = Vec<T>::kSize;
  if (size % kSize != 0) return kUnsupportedShape;
  const dim3 grid(rows, CeilDiv(size / kSize, kVecs * kThreads));
  SiluAndMulKernel<<<grid, kThreads, 0, stream>>>(x, size, y);
  return LaunchStatus();
}

}  // namespace assay
