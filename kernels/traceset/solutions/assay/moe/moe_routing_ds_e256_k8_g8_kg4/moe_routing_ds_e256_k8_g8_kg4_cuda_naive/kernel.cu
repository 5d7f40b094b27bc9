// DeepSeek-V3's routing with one thread per token, which keeps the biased
// scores of all experts in local memory and looks through them for each choice.
//
// Scores are double: which expert is chosen must not depend on rounding.

#include <dlpack/dlpack.h>

#include <cstdint>

#include "cuda_util.cuh"
#include "dl_tensor.h"

namespace assay {
namespace {

constexpr int kExperts = 256;
constexpr int kGroups = 8;
constexpr int kOpenGroups = 4;
constexpr int kGroupSize = kExperts / kGroups;
constexpr int kTopK = 8;

__device__ double Score(float logit) {
  return 1.0 / (1.0 + exp(-static_cast<double>(logit)));
}

// The first of the largest of `size` values.
__device__ int ArgMax(const double* value, int size) {
  int best = 0;
  for (int i = 1; i < size; ++i) {
    if (value[i] > value[best]) best = i;
  }
  return best;
}

// Kernel.
__global__ void RouteKernel(const float* __restrict__ logits,
                            const float* __restrict__ bias, float scale,
                            int64_t tokens, float* __restrict__ weights,
                            int32_t* __restrict__ chosen) {
  const int64_t token = int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (token >= tokens) return;
  logits += token * kExperts;
  weights += token * kTopK;
  chosen += token * kTopK;

  double biased[kExperts];
  for (int e = 0; e < kExperts; ++e) biased[e] = Score(logits[e]) + bias[e];
  double worth[kGroups];
  for (int g = 0; g < kGroups; ++g) {
    double first = -INFINITY, second = -INFINITY;
    for (int i = 0; i < kGroupSize; ++i) {
      const double value = biased[g * kGroupSize + i];
      second = fmax(second, fmin(first, value));
      first = fmax(first, value);
    }
    worth[g] = first + second;
  }
  bool open[kGroups] = {};
  for (int i = 0; i < kOpenGroups; ++i) {
    const int g = ArgMax(worth, kGroups);
    open[g] = true;
    worth[g] = -INFINITY;
  }
  for (int e = 0; e < kExperts; ++e) {
    if (!open[e / kGroupSize]) biased[e] = -INFINITY;
  }

  double sum = 0;
  for (int j = 0; j < kTopK; ++j) {
    const int expert = ArgMax(biased, kExperts);
    biased[expert] = -INFINITY;
    chosen[j] = expert;
    sum += Score(logits[expert]);
  }
  for (int j = 0; j < kTopK; ++j) {
    weights[j] = static_cast<float>(Score(logits[chosen[j]]) / sum * scale);
  }
}

}  // namespace
}  // namespace assay

// Binding, which launches.
extern "C" int moe_routing_ds(const DLTensor* router_logits,
                              const DLTensor* routing_bias,
                              float routed_scaling_factor,
                              DLTensor* topk_weights, DLTensor* topk_ids,
                              void* stream) {
  using namespace assay;
  constexpr int kThreads = 64;
  if (!IsFloat32(router_logits->dtype)) return kUnsupportedDtype;
  if (router_logits->shape[1] != kExperts || topk_ids->shape[1] != kTopK) {
    return kUnsupportedShape;
  }
  const int64_t tokens = router_logits->shape[0];
  RouteKernel<<<CeilDiv(tokens, kThreads), kThreads, 0,
                static_cast<cudaStream_t>(stream)>>>(
      Data<float>(router_logits), Data<float>(routing_bias),
      routed_scaling_factor, tokens, Data<float>(topk_weights),
      Data<int32_t>(topk_ids));
  return LaunchStatus();
}
