// Attention over parts of a sequence, and how the parts become one result.
//
// The attention kernel leaves for every part of every head a weighted sum of
// values that is not yet divided, the largest logit and the sum of weights
// relative to it, logits being in base 2. MergeKernel joins them.
#pragma once

#include <cuda_bf16.h>

#include <cstdint>

#include "cuda_util.cuh"

namespace assay {

// Stands for "no token yet". Unlike an infinity it can be subtracted from
// itself.
constexpr float kNoLogit = -1e30f;

struct PartStats {
  float max;
  float sum;
};

// Room for the parts. Two calls that run at the same time on two streams would
// share it; a caller that does so needs a workspace of its own.
template <int kDim, int kMaxParts>
struct PartWorkspace {
  float value[kMaxParts][kDim];
  PartStats stats[kMaxParts];
};

constexpr int kMergeThreads = 128;

// Kernel: block h joins the parts of head h, which lie next to each other.
template <int kDim, int kMaxParts>
__global__ void MergeKernel(const PartWorkspace<kDim, kMaxParts>* workspace,
                            int parts, __nv_bfloat16* __restrict__ output,
                            float* __restrict__ lse) {
  static_assert(kDim % kMergeThreads == 0, "threads own equal shares");
  constexpr int kPerThread = kDim / kMergeThreads;
  const int64_t head = blockIdx.x;
  const int64_t first = head * parts;
  float max = kNoLogit;
  for (int p = 0; p < parts; ++p) {
    max = fmaxf(max, workspace->stats[first + p].max);
  }
  float sum = 0;
  float value[kPerThread] = {};
  for (int p = 0; p < parts; ++p) {
    const PartStats part = workspace->stats[first + p];
    const float scale = exp2f(part.max - max);
    sum += part.sum * scale;
#pragma unroll
    for (int i = 0; i < kPerThread; ++i) {
      const int d = i * kMergeThreads + threadIdx.x;
      value[i] += workspace->value[first + p][d] * scale;
    }
  }
  const float inverse = sum > 0 ? 1.0f / sum : 0.0f;
#pragma unroll
  for (int i = 0; i < kPerThread; ++i) {
    output[head * kDim + i * kMergeThreads + threadIdx.x] =
        __float2bfloat16_rn(value[i] * inverse);
  }
  if (threadIdx.x == 0) lse[head] = sum > 0 ? max + log2f(sum) : -INFINITY;
}

}  // namespace assay
