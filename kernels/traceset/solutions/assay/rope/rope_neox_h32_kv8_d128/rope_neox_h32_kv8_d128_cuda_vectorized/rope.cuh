// Rotary position embedding in one launch for q and k. A thread turns the pairs
// that 16-byte loads bring: eight pairs out of two vectors where a pair spans
// the halves of a head, four pairs out of one where it is two neighbours.
#pragma once

#include <cstdint>

#include "cuda_util.cuh"
#include "dl_tensor.h"  // for the error codes

namespace assay {

// The pair is two neighbours, or one element from each half of the head.
enum class Pairing { kHalves, kNeighbours };

template <Pairing kPairing, typename T>
constexpr int kPairsPerThread =
    kPairing == Pairing::kHalves ? Vec<T>::kSize : Vec<T>::kSize / 2;

template <int kCount>
__device__ __forceinline__ void LoadFloats(const float* source,
                                           float (&value)[kCount]) {
#pragma unroll
  for (int i = 0; i < kCount; i += Vec<float>::kSize) {
    const Vec<float> vec = LoadVec(source + i);
#pragma unroll
    for (int e = 0; e < Vec<float>::kSize; ++e) value[i + e] = vec.lane[e];
  }
}

// Kernel.
template <Pairing kPairing, typename T>
__global__ void RopeKernel(const T* __restrict__ q, const T* __restrict__ k,
                           const float* __restrict__ cache,
                           const int64_t* __restrict__ positions,
                           int64_t tokens, int q_heads, int k_heads,
                           int head_dim, T* __restrict__ q_out,
                           T* __restrict__ k_out) {
  constexpr int kPairs = kPairsPerThread<kPairing, T>;
  const int half = head_dim / 2;
  const int threads_per_head = half / kPairs;
  const int heads = q_heads + k_heads;
  const int64_t thread = int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const int i = thread % threads_per_head * kPairs;
  const int64_t token_head = thread / threads_per_head;
  const int64_t token = token_head / heads;
  const int head = token_head % heads;
  if (token >= tokens) return;

  const bool is_q = head < q_heads;
  const int64_t offset = is_q ? (token * q_heads + head) * head_dim
                              : (token * k_heads + head - q_heads) * head_dim;
  const T* x = (is_q ? q : k) + offset;
  T* y = (is_q ? q_out : k_out) + offset;

  float cos[kPairs], sin[kPairs];
  const float* row = cache + positions[token] * head_dim;
  LoadFloats(row + i, cos);
  LoadFloats(row + half + i, sin);
  if constexpr (kPairing == Pairing::kHalves) {
    Vec<T> first = LoadVec(x + i);
    Vec<T> second = LoadVec(x + half + i);
#pragma unroll
    for (int p = 0; p < kPairs; ++p) {
      const float a = ToFloat(first.lane[p]);
      const float b = ToFloat(second.lane[p]);
      Assign(a * cos[p] - b * sin[p], &first.lane[p]);
      Assign(b * cos[p] + a * sin[p], &second.lane[p]);
    }
    StoreVec(first, y + i);
    StoreVec(second, y + half + i);
  } else {
    Vec<T> pairs = LoadVec(x + 2 * i);
#pragma unroll
    for (int p = 0; p < kPairs; ++p) {
      const float a = ToFloat(pairs.lane[2 * p]);
      const float b = ToFloat(pairs.lane[2 * p + 1]);
      Assign(a * cos[p] - b * sin[p], &pairs.lane[2 * p]);
      Assign(b * cos[p] + a * sin[p], &pairs.lane[2 * p + 1]);
    }
    StoreVec(pairs, y + 2 * i);
  }
}

// Launcher.
template <Pairing kPairing, typename T>
int Rope(const T* q, const T* k, const float* cache, const int64_t* positions,
         int64_t tokens, int q_heads, int k_heads, int head_dim, T* q_out,
         T* k_out, cudaStream_t stream) {
  constexpr int kThreads = 256;
  constexpr int kPairs = kPairsPerThread<kPairing, T>;
  if (head_dim % (2 * kPairs) != 0) return kUnsupportedShape;
  const int64_t threads =
      tokens * (q_heads + k_heads) * (head_dim / (2 * kPairs));
  RopeKernel<kPairing><<<CeilDiv(threads, kThreads), kThreads, 0, stream>>>(
      q, k, cache, positions, tokens, q_heads, k_heads, head_dim, q_out, k_out);
  return LaunchStatus();
}

}  // namespace assay
