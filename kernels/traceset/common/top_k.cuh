// The k largest of a long row of non-negative floats, found by one block.
//
// Non-negative floats are ordered as their bits are, so the k-th largest value
// is the largest bit pattern that at least k elements reach: it is built bit by
// bit, counting 31 times. Counting over the whole row would read it 31 times.
// Instead, every thread first takes the maximum of its share of the row: the
// k-th largest of those maxima bounds the k-th largest of the row from below.
// The few elements that reach the bound are gathered into shared memory, and
// the counting happens there.
#pragma once

#include <cstdint>

#include "cuda_util.cuh"

namespace assay {

constexpr int kTopKThreads = 1024;
constexpr int kMaxCandidates = 4096;

struct TopKShared {
  float value[kMaxCandidates];
  int index[kMaxCandidates];
  int num_candidates;
};

// The k-th largest of `size` values, where get(i) is the i-th.
template <typename Get>
__device__ float KthLargestByCounting(Get get, int size, int k) {
  uint32_t threshold = 0;
  for (int bit = 30; bit >= 0; --bit) {
    const uint32_t trial = threshold | (1u << bit);
    int count = 0;
    for (int first = 0; first < size && count < k; first += kTopKThreads) {
      const int i = first + threadIdx.x;
      const bool reached = i < size && __float_as_uint(get(i)) >= trial;
      count += __syncthreads_count(reached);
    }
    if (count >= k) threshold = trial;
  }
  return __uint_as_float(threshold);
}

// Calls visit(value, index) for every element of the row, coalesced. size is a
// multiple of 4.
template <typename Visit>
__device__ __forceinline__ void VisitRow(const float* x, int size,
                                         Visit visit) {
  constexpr int kSize = Vec<float>::kSize;
#pragma unroll 4
  for (int i = threadIdx.x * kSize; i < size; i += kTopKThreads * kSize) {
    const Vec<float> vec = LoadVec(x + i);
#pragma unroll
    for (int e = 0; e < kSize; ++e) visit(vec.lane[e], i + e);
  }
}

// Returns the k-th largest of x[0 ... size). Every element that reaches it is
// among the shared candidates, in no particular order, unless there are more
// than kMaxCandidates: num_candidates then says so.
__device__ inline float KthLargest(const float* x, int size, int k,
                                   TopKShared& shared) {
  float max = 0.0f;
  VisitRow(x, size, [&](float value, int) { max = fmaxf(max, value); });
  const float bound =
      k <= kTopKThreads
          ? KthLargestByCounting([&](int) { return max; }, kTopKThreads, k)
          : 0.0f;
  if (threadIdx.x == 0) shared.num_candidates = 0;
  __syncthreads();
  VisitRow(x, size, [&](float value, int i) {
    if (value < bound) return;
    const int slot = atomicAdd(&shared.num_candidates, 1);
    if (slot < kMaxCandidates) {
      shared.value[slot] = value;
      shared.index[slot] = i;
    }
  });
  __syncthreads();
  if (shared.num_candidates <= kMaxCandidates) {
    return KthLargestByCounting([&](int i) { return shared.value[i]; },
                                shared.num_candidates, k);
  }
  return KthLargestByCounting([&](int i) { return x[i]; }, size, k);
}

}  // namespace assay
