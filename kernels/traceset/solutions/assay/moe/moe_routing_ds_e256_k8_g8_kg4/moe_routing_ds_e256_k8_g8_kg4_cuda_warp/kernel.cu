// DeepSeek-V3's routing with one warp per token. A lane holds eight
// neighbouring experts, four lanes a group. Lanes exchange their two best
// scores to find what the groups are worth; the experts of the open groups are
// then chosen one by one with warp reductions. Lane j keeps the j-th choice.
//
// Scores are double: which expert is chosen must not depend on rounding.

#include <dlpack/dlpack.h>

#include <cstdint>

#include "cuda_util.cuh"
#include "dl_tensor.h"

namespace assay {
namespace {

constexpr int kThreads = 128;
constexpr int kExperts = 256;
constexpr int kGroups = 8;
constexpr int kOpenGroups = 4;
constexpr int kTopK = 8;
constexpr int kPerLane = kExperts / kWarpSize;
constexpr int kGroupLanes = kWarpSize / kGroups;
constexpr uint64_t kTaken = 0;  // less than Order() of any number

// An unsigned integer that is ordered as the double is.
__device__ __forceinline__ uint64_t Order(double value) {
  const uint64_t bits = __double_as_longlong(value);
  return bits >> 63 ? ~bits : bits | (uint64_t{1} << 63);
}

// The largest of the warp's numbers: of the high halves, then of the low halves
// of those that share it.
__device__ __forceinline__ uint64_t WarpMax64(uint64_t value) {
  const uint32_t my_high = value >> 32;
  const uint32_t my_low = value;
  const uint32_t high = __reduce_max_sync(kFullMask, my_high);
  const uint32_t low =
      __reduce_max_sync(kFullMask, my_high == high ? my_low : 0u);
  return uint64_t{high} << 32 | low;
}

// Whether this lane's group is open.
__device__ __forceinline__ bool IsGroupOpen(const double (&biased)[kPerLane],
                                            int lane) {
  double first = biased[0], second = -INFINITY;
#pragma unroll
  for (int i = 1; i < kPerLane; ++i) {
    second = fmax(second, fmin(first, biased[i]));
    first = fmax(first, biased[i]);
  }
#pragma unroll
  for (int offset = 1; offset < kGroupLanes; offset *= 2) {
    const double other_first = __shfl_xor_sync(kFullMask, first, offset);
    const double other_second = __shfl_xor_sync(kFullMask, second, offset);
    second = fmax(fmin(first, other_first), fmax(second, other_second));
    first = fmax(first, other_first);
  }
  const double worth = first + second;
  const int group = lane / kGroupLanes;
  int better = 0;
#pragma unroll
  for (int g = 0; g < kGroups; ++g) {
    const double other = __shfl_sync(kFullMask, worth, g * kGroupLanes);
    better += other > worth || (other == worth && g < group);
  }
  return better < kOpenGroups;
}

// Kernel.
__global__ void __launch_bounds__(kThreads)
    RouteKernel(const float* __restrict__ logits,
                const float* __restrict__ bias, float scale, int64_t tokens,
                float* __restrict__ weights, int32_t* __restrict__ chosen) {
  const int lane = threadIdx.x % kWarpSize;
  const int64_t token =
      int64_t{blockIdx.x} * (kThreads / kWarpSize) + threadIdx.x / kWarpSize;
  if (token >= tokens) return;
  const int first_expert = lane * kPerLane;
  double score[kPerLane], biased[kPerLane];
#pragma unroll
  for (int i = 0; i < kPerLane; i += Vec<float>::kSize) {
    const Vec<float> logit =
        LoadVec(logits + token * kExperts + first_expert + i);
    const Vec<float> offset = LoadVec(bias + first_expert + i);
#pragma unroll
    for (int e = 0; e < Vec<float>::kSize; ++e) {
      score[i + e] = 1.0 / (1.0 + exp(-static_cast<double>(logit.lane[e])));
      biased[i + e] = score[i + e] + offset.lane[e];
    }
  }

  const bool is_open = IsGroupOpen(biased, lane);
  uint64_t order[kPerLane];
#pragma unroll
  for (int i = 0; i < kPerLane; ++i) {
    order[i] = is_open ? Order(biased[i]) : kTaken;
  }

  int my_expert = 0;
  double my_score = 0;
  double sum = 0;
  for (int j = 0; j < kTopK; ++j) {
    uint64_t best = kTaken;
    int best_i = 0;
    double best_score = 0;
#pragma unroll
    for (int i = 0; i < kPerLane; ++i) {
      if (order[i] > best) {
        best = order[i];
        best_i = i;
        best_score = score[i];
      }
    }
    // Lanes hold experts in order, so the first lane with the maximum wins.
    const uint64_t maximum = WarpMax64(best);
    const int winner = __ffs(__ballot_sync(kFullMask, best == maximum)) - 1;
    const int expert = __shfl_sync(kFullMask, first_expert + best_i, winner);
    const double winner_score = __shfl_sync(kFullMask, best_score, winner);
#pragma unroll
    for (int i = 0; i < kPerLane; ++i) {
      if (expert == first_expert + i) order[i] = kTaken;
    }
    sum += winner_score;
    if (j == lane) {
      my_expert = expert;
      my_score = winner_score;
    }
  }
  if (lane < kTopK) {
    weights[token * kTopK + lane] = static_cast<float>(my_score / sum * scale);
    chosen[token * kTopK + lane] = my_expert;
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
  if (!IsFloat32(router_logits->dtype)) return kUnsupportedDtype;
  if (router_logits->shape[1] != kExperts || topk_ids->shape[1] != kTopK) {
    return kUnsupportedShape;
  }
  const int64_t tokens = router_logits->shape[0];
  RouteKernel<<<CeilDiv(tokens, kThreads / kWarpSize), kThreads, 0,
                static_cast<cudaStream_t>(stream)>>>(
      Data<float>(router_logits), Data<float>(routing_bias),
      routed_scaling_factor, tokens, Data<float>(topk_weights),
      Data<int32_t>(topk_ids));
  return LaunchStatus();
}
