// Samples from the k most probable tokens: the first token, in vocabulary
// order, at which the sum of the kept probabilities exceeds uniform * their
// total. The row is scanned in vectors that only look for values worth keeping;
// the rest deals with those few.

#include <dlpack/dlpack.h>

#include <cstdint>
#include <vector>

#include "bf16.h"
#include "dl_tensor.h"
#include "simd.h"
#include "top_k.h"

namespace assay {
namespace {

void TopKSample(const float* probs, const int32_t* top_k, const float* uniform,
                int64_t rows, int64_t size, int64_t* samples) {
  for (int64_t r = 0; r < rows; ++r, probs += size) {
    const std::vector<int64_t> kept = TopKIndices(probs, size, top_k[r]);
    double total = 0;
    for (const int64_t i : kept) total += probs[i];
    const double target = uniform[r] * total;
    double sum = 0;
    for (const int64_t i : kept) {
      samples[r] = i;
      sum += probs[i];
      if (sum > target) break;
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
