// Expert choice with one thread per token, which looks through all experts k
// times. An expert is still free if it comes after the one chosen last in the
// order of descending logit, then ascending number.

#include <dlpack/dlpack.h>

#include <cstdint>

#include "cuda_util.cuh"
#include "dl_tensor.h"

namespace assay {
namespace {

// Kernel.
__global__ void RouteKernel(const float* __restrict__ logits, int64_t tokens,
                            int experts, int k, float* __restrict__ weights,
                            int32_t* __restrict__ chosen) {
  const int64_t token = int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (token >= tokens) return;
  logits += token * experts;
  weights += token * k;
  chosen += token * k;
  float last = INFINITY;
  int last_expert = -1;
  float sum = 0;
  for (int j = 0; j < k; ++j) {
    int best = -1;
    for (int e = 0; e < experts; ++e) {
      const bool is_free =
          logits[e] < last || (logits[e] == last && e > last_expert);
      if (is_free && (best < 0 || logits[e] > logits[best])) best = e;
    }
    last = logits[best];
    last_expert = best;
    chosen[j] = best;
    weights[j] = expf(last - logits[chosen[0]]);
    sum += weights[j];
  }
  for (int j = 0; j < k; ++j) weights[j] /= sum;
}

// Launcher.
int Route(const float* logits, int64_t tokens, int64_t experts, int64_t k,
          float* weights, int32_t* chosen, cudaStream_t stream) {
  constexpr int kThreads = 128;
  RouteKernel<<<CeilDiv(tokens, kThreads), kThreads, 0, stream>>>(
      logits, tokens, experts, k, weights, chosen);
  return LaunchStatus();
}

}  // namespace
}  // namespace assay

// Binding.
extern "C" int moe_routing(const DLTensor* router_logits,
                           DLTensor* topk_weights, DLTensor* topk_ids,
                           void* stream) {
  using namespace assay;
  if (!IsFloat32(router_logits->dtype)) return kUnsupportedDtype;
  return Route(Data<float>(router_logits), router_logits->shape[0],
               router_logits->shape[1], topk_ids->shape[1],
               Data<float>(topk_weights), Data<int32_t>(topk_ids),
               static_cast<cudaStream_t>(stream));
}
