// Chooses the k experts with the largest logits by looking through all experts
// k times; their weights are the softmax over the chosen ones.

#include <dlpack/dlpack.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "dl_tensor.h"

namespace assay {
namespace {

void RouteToken(const float* logits, int64_t experts, int64_t k, float* weights,
                int32_t* chosen) {
  std::vector<bool> taken(experts, false);
  float sum = 0;
  for (int64_t j = 0; j < k; ++j) {
    int64_t best = -1;
    for (int64_t e = 0; e < experts; ++e) {
      if (!taken[e] && (best < 0 || logits[e] > logits[best])) best = e;
    }
    taken[best] = true;
    chosen[j] = static_cast<int32_t>(best);
    weights[j] = std::exp(logits[best] - logits[chosen[0]]);
    sum += weights[j];
  }
  for (int64_t j = 0; j < k; ++j) weights[j] /= sum;
}

}  // namespace
}  // namespace assay

// Binding.
extern "C" int moe_routing(const DLTensor* router_logits,
                           DLTensor* topk_weights, DLTensor* topk_ids,
                           void* /*stream*/) {
  using namespace assay;
  if (!IsFloat32(router_logits->dtype)) return kUnsupportedDtype;
  const int64_t experts = router_logits->shape[1];
  const int64_t k = topk_ids->shape[1];
  for (int64_t t = 0; t < router_logits->shape[0]; ++t) {
    RouteToken(Data<float>(router_logits) + t * experts, experts, k,
               Data<float>(topk_weights) + t * k,
               Data<int32_t>(topk_ids) + t * k);
  }
  return kOk;
}
