// Rotary position embedding, one thread per pair. Pair i of a head turns by the
// angle whose cosine and sine are elements i and i + half of the token's row in
// the cache.
#pragma once

#include <cstdint>

#include "cuda_util.cuh"

namespace assay {

// The pair is two neighbours, or one element from each half of the head.
enum class Pairing { kHalves, kNeighbours };

// Kernel.
template <Pairing kPairing, typename T>
__global__ void RopeKernel(const T* __restrict__ x,
                           const float* __restrict__ cache,
                           const int64_t* __restrict__ positions,
                           int64_t tokens, int heads, int head_dim,
                           T* __restrict__ y) {
  const int half = head_dim / 2;
  const int64_t thread = int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (thread >= tokens * heads * half) return;
  const int i = thread % half;
  const int64_t head = thread / half;
  const float* row = cache + positions[head / heads] * head_dim;
  const float cos = row[i];
  const float sin = row[i + half];
  const int64_t first =
      head * head_dim + (kPairing == Pairing::kHalves ? i : 2 * i);
  const int64_t second = first + (kPairing == Pairing::kHalves ? half : 1);
  const float a = ToFloat(x[first]);
  const float b = ToFloat(x[second]);
  Assign(a * cos - b * sin, &y[first]);
  Assign(b * cos + a * sin, &y[second]);
}

// Launcher: one launch for q, one for k.
template <Pairing kPairing, typename T>
int Rope(const T* q, const T* k, const float* cache, const int64_t* positions,
         int64_t tokens, int q_heads, int k_heads, int head_dim, T* q_out,
         T* k_out, cudaStream_t stream) {
  constexpr int kThreads = 256;
  const auto launch = [&](const T* x, int heads, T* y) {
    const int64_t pairs = tokens * heads * (head_dim / 2);
    RopeKernel<kPairing><<<CeilDiv(pairs, kThreads), kThreads, 0, stream>>>(
        x, cache, positions, tokens, heads, head_dim, y);
  };
  launch(q, q_heads, q_out);
  launch(k, k_heads, k_out);
  return LaunchStatus();
}

}  // namespace assay
