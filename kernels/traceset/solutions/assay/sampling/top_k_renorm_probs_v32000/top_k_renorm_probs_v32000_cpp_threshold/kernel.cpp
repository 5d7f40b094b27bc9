// Keeps the k most probable tokens and scales them to a sum of one. The row is
// scanned in vectors that only look for values worth keeping; the output is
// cleared, and the few kept values written into it.

#include <dlpack/dlpack.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "bf16.h"
#include "dl_tensor.h"
#include "simd.h"
#include "top_k.h"

namespace assay {
namespace {

void TopKRenorm(const float* probs, const int32_t* top_k, int64_t rows,
                int64_t size, float* y) {
  for (int64_t r = 0; r < rows; ++r, probs += size, y += size) {
    const std::vector<int64_t> kept = TopKIndices(probs, size, top_k[r]);
    float sum = 0;
    for (const int64_t i : kept) sum += probs[i];
    std::fill(y, y + size, 0.0f);
    for (const int64_t i : kept) y[i] = probs[i] / sum;
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
