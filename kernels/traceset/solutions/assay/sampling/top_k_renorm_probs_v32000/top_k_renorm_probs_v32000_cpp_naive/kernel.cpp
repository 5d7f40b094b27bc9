// Keeps the k most probable tokens and scales them to a sum of one. The k-th
// largest probability is found by partitioning a copy of the row.

#include <dlpack/dlpack.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <vector>

#include "dl_tensor.h"

namespace assay {
namespace {

void TopKRenorm(const float* probs, const int32_t* top_k, int64_t rows,
                int64_t size, float* y) {
  for (int64_t r = 0; r < rows; ++r, probs += size, y += size) {
    std::vector<float> copy(probs, probs + size);
    const auto kth = copy.begin() + top_k[r] - 1;
    std::nth_element(copy.begin(), kth, copy.end(), std::greater<float>());
    const float threshold = *kth;
    float sum = 0;
    for (int64_t i = 0; i < size; ++i) {
      if (probs[i] >= threshold) sum += probs[i];
    }
    for (int64_t i = 0; i < size; ++i) {
      y[i] = probs[i] >= threshold ? probs[i] / sum : 0.0f;
    }
  }
}

}  // namespace
}  // namespace assay

// Binding.
extern "C" int top_k_renorm_probs(const DLTensor* probs, const DLTensor* top_k,
                                  DLTensor* renorm_probs, void* /*stream*/) {
  using namespace assay;
  TopKRenorm(Data<float>(probs), Data<int32_t>(top_k), probs->shape[0],
             probs->shape[1], Data<float>(renorm_probs));
  return kOk;
}
