// The two products of decode attention on the CPU, for a block of tokens whose
// keys and values lie in a float buffer in the cache, and the running softmax
// that joins the blocks.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

#include "simd.h"

namespace assay {

constexpr int64_t kTokenBlock = 32;  // a multiple of kLanes

// logits[h * kTokenBlock + t] = q[h] . k[t], for kHeads heads and tokens
// t ... t + kTokens - 1: a register tile, every loaded vector used several
// times.
template <int kHeads, int kTokens>
ASSAY_INLINE void DotTile(const float* q, int64_t q_stride, const float* k,
                          int64_t k_stride, int64_t dim, float* logits) {
  F32x16 sum[kHeads][kTokens] = {};
  for (int64_t d = 0; d < dim; d += kLanes) {
    F32x16 key[kTokens];
    for (int t = 0; t < kTokens; ++t) key[t] = Load(k + t * k_stride + d);
    for (int h = 0; h < kHeads; ++h) {
      const F32x16 query = Load(q + h * q_stride + d);
      for (int t = 0; t < kTokens; ++t) sum[h][t] += query * key[t];
    }
  }
  for (int h = 0; h < kHeads; ++h) {
    for (int t = 0; t < kTokens; ++t) {
      logits[h * kTokenBlock + t] = ReduceSum(sum[h][t]);
    }
  }
}

// All heads over a block of tokens. dim is a multiple of kLanes. Keys up to the
// next multiple of 4 tokens must be readable.
inline void BlockLogits(const float* q, int64_t heads, const float* k,
                        int64_t tokens, int64_t dim, float* logits) {
  for (int64_t t = 0; t < tokens; t += 4) {
    int64_t h = 0;
    for (; h + 4 <= heads; h += 4) {
      DotTile<4, 4>(q + h * dim, dim, k + t * dim, dim, dim,
                    logits + h * kTokenBlock + t);
    }
    for (; h < heads; ++h) {
      DotTile<1, 4>(q + h * dim, dim, k + t * dim, dim, dim,
                    logits + h * kTokenBlock + t);
    }
  }
}

// output[d] = output[d] * keep + sum over t of weight[t] * v[t][d].
ASSAY_INLINE void AddWeighted(const float* weight, const float* v,
                              int64_t v_stride, int64_t tokens, int64_t dim,
                              float keep, float* output) {
  constexpr int kVecs = 8;
  for (int64_t d = 0; d < dim; d += kVecs * kLanes) {
    F32x16 sum[kVecs];
    for (int i = 0; i < kVecs; ++i)
      sum[i] = Load(output + d + i * kLanes) * keep;
    for (int64_t t = 0; t < tokens; ++t) {
      const float* row = v + t * v_stride + d;
      for (int i = 0; i < kVecs; ++i)
        sum[i] += Load(row + i * kLanes) * weight[t];
    }
    for (int i = 0; i < kVecs; ++i) Store(sum[i], output + d + i * kLanes);
  }
}

// Softmax over blocks of logits, in base 2: multiply queries by log2(e) first.
struct RunningSoftmax {
  float max = -std::numeric_limits<float>::infinity();
  float sum = 0;

  // Replaces the logits of a block by their weights relative to the new maximum
  // and returns the factor that earlier weighted sums must be multiplied with.
  // logits has room for kTokenBlock numbers.
  float Add(float* logits, int64_t tokens) {
    constexpr float kNone = -std::numeric_limits<float>::infinity();
    for (int64_t t = tokens; t < kTokenBlock; ++t) logits[t] = kNone;
    F32x16 block_max = Load(logits);
    for (int64_t t = kLanes; t < kTokenBlock; t += kLanes) {
      block_max = Max(block_max, Load(logits + t));
    }
    const float new_max = std::fmax(max, ReduceMax(block_max));
    const float keep = std::exp2(max - new_max);
    F32x16 block_sum = {};
    for (int64_t t = 0; t < kTokenBlock; t += kLanes) {
      const F32x16 weight = Exp2(Load(logits + t) - new_max);
      Store(weight, logits + t);
      block_sum += weight;
    }
    max = new_max;
    sum = sum * keep + ReduceSum(block_sum);
    return keep;
  }

  float Log2Sum() const { return max + std::log2(sum); }
};

}  // namespace assay
