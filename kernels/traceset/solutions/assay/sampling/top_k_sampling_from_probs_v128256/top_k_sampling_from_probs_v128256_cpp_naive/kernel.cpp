// Samples from the k most probable tokens: the first token, in vocabulary
// order, at which the sum of the kept probabilities exceeds uniform * their
// total. The k-th largest probability is found by partitioning a copy of the
// row.

#include <dlpack/dlpack.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <vector>

#include "dl_tensor.h"

namespace assay {
namespace {

void TopKSample(const float* probs, const int32_t* top_k, const float* uniform,
                int64_t rows, int64_t size, int64_t* samples) {
  for (int64_t r = 0; r < rows; ++r, probs += size) {
    std::vector<float> copy(probs, probs + size);
    const auto kth = copy.begin() + top_k[r] - 1;
    std::nth_element(copy.begin(), kth, copy.end(), std::greater<float>());
    const float threshold = *kth;
    double total = 0;
    for (int64_t i = 0; i < size; ++i) {
      if (probs[i] >= threshold) total += probs[i];
    }
    const double target = uniform[r] * total;
    double sum = 0;
    for (int64_t i = 0; i < size; ++i) {
      if (probs[i] >= threshold) sum += probs[i];
      if (sum > target) {
        samples[r] = i;
        break;
      }
    }
  }
}

}  // namespace
}  // namespace assay

// Binding.
extern "C" int top_k_sampling_from_probs(const DLTensor* probs,
                                         const DLTensor* top_k,
                                         const DLTensor* uniform,
                                         DLTensor* samples, void* /*stream*/) {
  using namespace assay;
  TopKSample(Data<float>(probs), Data<int32_t>(top_k), Data<float>(uniform),
             probs->shape[0], probs->shape[1], Data<int64_t>(samples));
  return kOk;
}
