// Residual addition and RMSNorm that reads each input once, in 16-byte loads.
// The unrounded sums wait in registers while the block adds up their squares.
//
// Kernel and launcher take pointers, sizes and a stream and know no framework;
// the bindings that include this file add a signature each.
#pragma once

#include <cstdint>

#include "cuda_util.cuh"
#include "dl_tensor.h"  // for the error codes

namespace assay {

constexpr int kThreads = 256;

// Kernel: block r handles row r, of which a thread holds kVecs vectors.
template <typename T, int kVecs>
__global__ void __launch_bounds__(kThreads)
    FusedAddRmsNormKernel(const T* __restrict__ x,
                          const T* __restrict__ residual,
                          const T* __restrict__ weight, float eps,
                          int hidden_size, T* __restrict__ y,
                          T* __restrict__ residual_out) {
  constexpr int kSize = Vec<T>::kSize;
  const int64_t row = int64_t{blockIdx.x} * hidden_size;
  float sum[kVecs][kSize];
  float square_sum = 0;
#pragma unroll
  for (int v = 0; v < kVecs; ++v) {
    const int i = (v * kThreads + threadIdx.x) * kSize;
    if (i >= hidden_size) break;
    const Vec<T> a = LoadVec(x + row + i);
    const Vec<T> b = LoadVec(residual + row + i);
    Vec<T> rounded;
#pragma unroll
    for (int e = 0; e < kSize; ++e) {
      sum[v][e] = ToFloat(a.lane[e]) + ToFloat(b.lane[e]);
      Assign(sum[v][e], &rounded.lane[e]);
      square_sum += sum[v][e] * sum[v][e];
    }
    StoreVec(rounded, residual_out + row + i);
  }
  const float scale = rsqrtf(BlockSum(square_sum) / hidden_size + eps);
#pragma unroll
  for (int v = 0; v < kVecs; ++v) {
    const int i = (v * kThreads + threadIdx.x) * kSize;
    if (i >= hidden_size) break;
    const Vec<T> gain = LoadVec(weight + i);
    Vec<T> result;
#pragma unroll
    for (int e = 0; e < kSize; ++e) {
      Assign(sum[v][e] * scale * ToFloat(gain.lane[e]), &result.lane[e]);
    }
    StoreVec(result, y + row + i);
  }
}

// Launcher.
template <typename T>
int FusedAddRmsNorm(const T* x, const T* residual, const T* weight, float eps,
                    int64_t rows, int64_t hidden_size, T* y, T* residual_out,
                    cudaStream_t stream) {
  constexpr int kSize = Vec<T>::kSize;
  if (hidden_size % kSize != 0 || hidden_size > 4 * kThreads * kSize) {
    return kUnsupportedShape;
  }
  const auto kernel = hidden_size <= 2 * kThreads * kSize
                          ? FusedAddRmsNormKernel<T, 2>
                          : FusedAddRmsNormKernel<T, 4>;
  kernel<<<rows, kThreads, 0, stream>>>(x, residual, weight, eps, hidden_size,
                                        y, residual_out);
  return LaunchStatus();
}

}  // namespace assay
