// Small device helpers shared by the CUDA solutions: bfloat16 conversion,
// 16-byte vectors, reductions over a warp and over a block.
#pragma once

#include <cuda_bf16.h>
#include <cuda_runtime.h>

#include <cmath>
#include <cstdint>

namespace assay {

constexpr int kWarpSize = 32;
constexpr unsigned kFullMask = 0xffffffffu;

__device__ __forceinline__ float ToFloat(float value) { return value; }
__device__ __forceinline__ float ToFloat(__nv_bfloat16 value) {
  return __bfloat162float(value);
}
__device__ __forceinline__ void Assign(float value, float* out) {
  *out = value;
}
__device__ __forceinline__ void Assign(float value, __nv_bfloat16* out) {
  *out = __float2bfloat16_rn(value);
}

// As many elements as one 16-byte load or store moves.
template <typename T>
struct alignas(16) Vec {
  static constexpr int kSize = 16 / sizeof(T);
  T lane[kSize];
};

template <typename T>
__device__ __forceinline__ Vec<T> LoadVec(const T* source) {
  return *reinterpret_cast<const Vec<T>*>(source);
}

template <typename T>
__device__ __forceinline__ void StoreVec(const Vec<T>& value, T* target) {
  *reinterpret_cast<Vec<T>*>(target) = value;
}

__device__ __forceinline__ float WarpSum(float value) {
  for (int offset = kWarpSize / 2; offset > 0; offset /= 2) {
    value += __shfl_xor_sync(kFullMask, value, offset);
  }
  return value;
}

__device__ __forceinline__ float WarpMax(float value) {
  for (int offset = kWarpSize / 2; offset > 0; offset /= 2) {
    value = fmaxf(value, __shfl_xor_sync(kFullMask, value, offset));
  }
  return value;
}

// A reduction over all threads of a block, returned to every thread. blockDim.x
// is a multiple of the warp size; neutral is what missing warps contribute. May
// be called repeatedly.
template <typename WarpReduce>
__device__ __forceinline__ float BlockReduce(float value, float neutral,
                                             WarpReduce warp_reduce) {
  __shared__ float partial[kWarpSize];
  const int lane = threadIdx.x % kWarpSize;
  const int warp = threadIdx.x / kWarpSize;
  value = warp_reduce(value);
  if (blockDim.x == kWarpSize) return value;
  if (lane == 0) partial[warp] = value;
  __syncthreads();
  value = warp_reduce(lane < blockDim.x / kWarpSize ? partial[lane] : neutral);
  __syncthreads();  // partial may be written again
  return value;
}

__device__ __forceinline__ float BlockSum(float value) {
  return BlockReduce(value, 0.0f, WarpSum);
}

__device__ __forceinline__ float BlockMax(float value) {
  return BlockReduce(value, -INFINITY, WarpMax);
}

// The error of the launch just made, as a binding returns it.
inline int LaunchStatus() { return static_cast<int>(cudaGetLastError()); }

inline int64_t CeilDiv(int64_t a, int64_t b) { return (a + b - 1) / b; }

}  // namespace assay
