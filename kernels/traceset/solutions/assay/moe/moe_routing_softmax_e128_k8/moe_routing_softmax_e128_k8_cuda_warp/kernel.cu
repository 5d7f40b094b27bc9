// Expert choice with one warp per token. The logits of a token lie spread over
// the registers of its warp; the largest is found with the warp reductions of
// compute capability 8.0, k times. Lane j keeps the j-th choice.

#include <dlpack/dlpack.h>

#include <cstdint>

#include "cuda_util.cuh"
#include "dl_tensor.h"

namespace assay {
namespace {

constexpr int kThreads = 128;
constexpr unsigned kTaken = 0;  // less than Order() of any number

// An unsigned integer that is ordered as the float is.
__device__ __forceinline__ unsigned Order(float value) {
  const unsigned bits = __float_as_uint(value);
  return bits & 0x80000000u ? ~bits : bits | 0x80000000u;
}

__device__ __forceinline__ float Unorder(unsigned order) {
  return __uint_as_float(order & 0x80000000u ? order & 0x7fffffffu : ~order);
}

// Kernel: lane i holds experts i, i + 32, ...
template <int kPerLane>
__global__ void __launch_bounds__(kThreads)
    RouteKernel(const float* __restrict__ logits, int64_t tokens, int experts,
                int k, float* __restrict__ weights,
                int32_t* __restrict__ chosen) {
  const int lane = threadIdx.x % kWarpSize;
  const int64_t token =
      int64_t{blockIdx.x} * (kThreads / kWarpSize) + threadIdx.x / kWarpSize;
  if (token >= tokens) return;
  unsigned order[kPerLane];
#pragma unroll
  for (int i = 0; i < kPerLane; ++i) {
    const int expert = i * kWarpSize + lane;
    order[i] =
        expert < experts ? Order(logits[token * experts + expert]) : kTaken;
  }

  unsigned my_order = kTaken;
  unsigned my_expert = 0;
  unsigned first_order = kTaken;
  for (int j = 0; j < k; ++j) {
    unsigned best = kTaken;
#pragma unroll
    for (int i = 0; i < kPerLane; ++i) best = max(best, order[i]);
    best = __reduce_max_sync(kFullMask, best);
    // The smallest expert among those with this logit.
    unsigned expert = UINT32_MAX;
#pragma unroll
    for (int i = kPerLane - 1; i >= 0; --i) {
      if (order[i] == best) expert = i * kWarpSize + lane;
    }
    expert = __reduce_min_sync(kFullMask, expert);
#pragma unroll
    for (int i = 0; i < kPerLane; ++i) {
      if (expert == i * kWarpSize + lane) order[i] = kTaken;
    }
    if (j == 0) first_order = best;
    if (j == lane) {
      my_order = best;
      my_expert = expert;
    }
  }

  const float weight =
      lane < k ? __expf(Unorder(my_order) - Unorder(first_order)) : 0.0f;
  const float sum = WarpSum(weight);
  if (lane < k) {
    weights[token * k + lane] = weight / sum;
    chosen[token * k + lane] = my_expert;
  }
}

// Launcher.
int Route(const float* logits, int64_t tokens, int64_t experts, int64_t k,
          float* weights, int32_t* chosen, cudaStream_t stream) {
  if (k > kWarpSize || k > experts || experts > 8 * kWarpSize) {
    return kUnsupportedShape;
  }
  const auto kernel = experts <= kWarpSize       ? RouteKernel<1>
                      : experts <= 4 * kWarpSize ? RouteKernel<4>
                                                 : RouteKernel<8>;
  kernel<<<CeilDiv(tokens, kThreads / kWarpSize), kThreads, 0, stream>>>(
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
