// The k largest of a long row of floats, for small k: the row is scanned in
// blocks, and a block whose maximum cannot matter costs a few vector maxima.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <vector>

#include "simd.h"

namespace assay {

// Calls visit(i) in ascending order for every i with wanted(x[i]). A block is
// skipped when its maximum is not wanted, so wanted must be monotonous: what it
// says of a value it says of all larger ones.
template <typename Wanted, typename Visit>
void VisitWanted(const float* x, int64_t size, Wanted wanted, Visit visit) {
  constexpr int kVecs = 8;
  constexpr int kBlock = kVecs * kLanes;
  int64_t i = 0;
  for (; i + kBlock <= size; i += kBlock) {
    F32x16 max = Load(x + i);
    for (int v = 1; v < kVecs; ++v) max = Max(max, Load(x + i + v * kLanes));
    if (!wanted(ReduceMax(max))) continue;
    for (int64_t j = i; j < i + kBlock; ++j) {
      if (wanted(x[j])) visit(j);
    }
  }
  for (; i < size; ++i) {
    if (wanted(x[i])) visit(i);
  }
}

// The k-th largest of x[0 ... size), for 1 <= k <= size.
inline float KthLargest(const float* x, int64_t size, int64_t k) {
  // A heap of the k largest so far, the smallest of them in front.
  std::vector<float> best(x, x + k);
  const auto order = std::greater<float>();
  std::make_heap(best.begin(), best.end(), order);
  VisitWanted(
      x + k, size - k, [&](float value) { return value > best.front(); },
      [&](int64_t i) {
        std::pop_heap(best.begin(), best.end(), order);
        best.back() = x[k + i];
        std::push_heap(best.begin(), best.end(), order);
      });
  return best.front();
}

// The indices, ascending, of all elements that are at least as large as the
// k-th largest: k of them, or more when several equal it.
inline std::vector<int64_t> TopKIndices(const float* x, int64_t size,
                                        int64_t k) {
  const float threshold = KthLargest(x, size, k);
  std::vector<int64_t> indices;
  indices.reserve(k);
  VisitWanted(
      x, size, [&](float value) { return value >= threshold; },
      [&](int64_t i) { indices.push_back(i); });
  return indices;
}

}  // namespace assay
