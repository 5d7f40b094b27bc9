// Chooses the k experts with the largest logits in one pass: a short sorted
// list takes in every logit that beats its last entry, and sixteen logits that
// do not are passed over together. Weights are the softmax over the chosen
// ones.

#include <dlpack/dlpack.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "bf16.h"
#include "dl_tensor.h"
#include "simd.h"

namespace assay {
namespace {

constexpr int kMaxK = 16;

// The largest logits so far, in descending order. Earlier experts come first
// among equals, as they are offered in order and only a larger one moves ahead.
class TopK {
 public:
  explicit TopK(int k) : k_(k) {
    std::fill(logits_, logits_ + kMaxK,
              -std::numeric_limits<float>::infinity());
  }

  float Last() const { return logits_[k_ - 1]; }

  void Offer(float logit, int32_t expert) {
    if (!(logit > Last())) return;
    int place = k_ - 1;
    for (; place > 0 && logit > logits_[place - 1]; --place) {
      logits_[place] = logits_[place - 1];
      experts_[place] = experts_[place - 1];
    }
    logits_[place] = logit;
    experts_[place] = expert;
  }

  void Finish(float* weights, int32_t* experts) const {
    float sum = 0;
    for (int j = 0; j < k_; ++j) {
      weights[j] = std::exp(logits_[j] - logits_[0]);
      sum += weights[j];
    }
    for (int j = 0; j < k_; ++j) weights[j] /= sum;
    std::copy(experts_, experts_ + k_, experts);
  }

 private:
  const int k_;
  float logits_[kMaxK];
  int32_t experts_[kMaxK] = {};
};

void RouteToken(const float* logits, int32_t experts, int k, float* weights,
                int32_t* chosen) {
  TopK top(k);
  int32_t e = 0;
  for (; e + kLanes <= experts; e += kLanes) {
    if (!(ReduceMax(Load(logits + e)) > top.Last())) continue;
    for (int32_t i = e; i < e + kLanes; ++i) top.Offer(logits[i], i);
  }
  for (; e < experts; ++e) top.Offer(logits[e], e);
  top.Finish(weights, chosen);
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
  if (k > kMaxK || k > experts) return kUnsupportedShape;
  for (int64_t t = 0; t < router_logits->shape[0]; ++t) {
    RouteToken(Data<float>(router_logits) + t * experts, experts, k,
               Data<float>(topk_weights) + t * k,
               Data<int32_t>(topk_ids) + t * k);
  }
  return kOk;
}
