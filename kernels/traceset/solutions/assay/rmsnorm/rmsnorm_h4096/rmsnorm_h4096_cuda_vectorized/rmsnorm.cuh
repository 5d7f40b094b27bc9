// RMSNorm that reads each row once. A row stays in registers between the sum of
// squares and the multiplication, moved by 16-byte loads and stores. Long rows
// get a block each; short ones (the norm of a head) a few lanes of a warp each.
//
// Kernel and launcher take pointers, sizes and a stream and know no framework;
// the bindings that include this file add a signature each.
#pragma once

#include <cstdint>

#include "cuda_util.cuh"
#include "dl_tensor.h"  // for the error codes

namespace assay {

template <typename T>
__device__ __forceinline__ float SquareSum(const Vec<T>& value) {
  float sum = 0;
#pragma unroll
  for (int e = 0; e < Vec<T>::kSize; ++e) {
    sum += ToFloat(value.lane[e]) * ToFloat(value.lane[e]);
  }
  return sum;
}

template <typename T>
__device__ __forceinline__ Vec<T> Normalize(const Vec<T>& value, float scale,
                                            const Vec<T>& weight) {
  Vec<T> result;
#pragma unroll
  for (int e = 0; e < Vec<T>::kSize; ++e) {
    Assign(ToFloat(value.lane[e]) * scale * ToFloat(weight.lane[e]),
           &result.lane[e]);
  }
  return result;
}

// Kernel for long rows: block r normalizes row r, of which a thread holds
// kVecs vectors.
template <typename T, int kVecs>
__global__ void RmsNormBlockKernel(const T* __restrict__ x,
                                   const T* __restrict__ weight, float eps,
                                   int hidden_size, T* __restrict__ y) {
  constexpr int kSize = Vec<T>::kSize;
  x += int64_t{blockIdx.x} * hidden_size;
  y += int64_t{blockIdx.x} * hidden_size;
  Vec<T> value[kVecs];
  float square_sum = 0;
#pragma unroll
  for (int v = 0; v < kVecs; ++v) {
    const int i = (v * blockDim.x + threadIdx.x) * kSize;
    if (i < hidden_size) {
      value[v] = LoadVec(x + i);
      square_sum += SquareSum(value[v]);
    }
  }
  const float scale = rsqrtf(BlockSum(square_sum) / hidden_size + eps);
#pragma unroll
  for (int v = 0; v < kVecs; ++v) {
    const int i = (v * blockDim.x + threadIdx.x) * kSize;
    if (i < hidden_size) {
      StoreVec(Normalize(value[v], scale, LoadVec(weight + i)), y + i);
    }
  }
}

// Kernel for short rows: kGroup lanes, each holding one vector, share a row of
// exactly kGroup vectors.
template <typename T, int kGroup>
__global__ void RmsNormGroupKernel(const T* __restrict__ x,
                                   const T* __restrict__ weight, float eps,
                                   int64_t rows, T* __restrict__ y) {
  static_assert(kGroup < kWarpSize, "the lane mask would overflow");
  constexpr int kSize = Vec<T>::kSize;
  constexpr int kHiddenSize = kGroup * kSize;
  const int64_t thread = int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const int64_t row = thread / kGroup;
  const int column = thread % kGroup * kSize;
  if (row >= rows) return;  // a whole group leaves together
  const unsigned mask = ((1u << kGroup) - 1)
                        << (threadIdx.x % kWarpSize / kGroup * kGroup);
  const Vec<T> value = LoadVec(x + row * kHiddenSize + column);
  float sum = SquareSum(value);
#pragma unroll
  for (int offset = kGroup / 2; offset > 0; offset /= 2) {
    sum += __shfl_xor_sync(mask, sum, offset, kGroup);
  }
  const float scale = rsqrtf(sum / kHiddenSize + eps);
  StoreVec(Normalize(value, scale, LoadVec(weight + column)),
           y + row * kHiddenSize + column);
}

// Launcher.
template <typename T>
int RmsNorm(const T* x, const T* weight, float eps, int64_t rows,
            int64_t hidden_size, T* y, cudaStream_t stream) {
  constexpr int kGroup = 16;
  constexpr int kGroupThreads = 256;
  constexpr int kVecs = 2;
  constexpr int kMaxThreads = 1024;
  const int64_t vecs = hidden_size / Vec<T>::kSize;
  if (hidden_size % Vec<T>::kSize != 0 || vecs > kVecs * kMaxThreads) {
    return kUnsupportedShape;
  }
  if (vecs == kGroup) {
    const int64_t blocks = CeilDiv(rows * kGroup, kGroupThreads);
    RmsNormGroupKernel<T, kGroup>
        <<<blocks, kGroupThreads, 0, stream>>>(x, weight, eps, rows, y);
  } else {
    const int64_t warps = CeilDiv(vecs, kVecs * kWarpSize);
    RmsNormBlockKernel<T, kVecs><<<rows, warps * kWarpSize, 0, stream>>>(
        x, weight, eps, hidden_size, y);
  }
  return LaunchStatus();
}

}  // namespace assay
