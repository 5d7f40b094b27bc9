// DeepSeek-V3's routing, step by step. Experts are scored by a sigmoid and come
// in groups. With a bias added, a group is worth its two best scores; the best
// groups are open, and the best experts in them are chosen. Their weights are
// their scores without the bias, scaled to a given sum.
//
// Scores are double: which expert is chosen must not depend on rounding.

#include <dlpack/dlpack.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

#include "dl_tensor.h"

namespace assay {
namespace {

constexpr int64_t kGroups = 8;
constexpr int64_t kOpenGroups = 4;

// The numbers 0 ... size - 1 by descending value, smaller numbers first among
// equals.
std::vector<int32_t> Descending(const std::vector<double>& value) {
  std::vector<int32_t> order(value.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](int32_t a, int32_t b) { return value[a] > value[b]; });
  return order;
}

void RouteToken(const float* logits, const float* bias, float scale,
                int64_t experts, int64_t k, float* weights, int32_t* chosen) {
  std::vector<double> score(experts), biased(experts);
  for (int64_t e = 0; e < experts; ++e) {
    score[e] = 1.0 / (1.0 + std::exp(-static_cast<double>(logits[e])));
    biased[e] = score[e] + bias[e];
  }

  const int64_t group_size = experts / kGroups;
  std::vector<double> worth(kGroups);
  for (int64_t g = 0; g < kGroups; ++g) {
    std::vector<double> group(biased.begin() + g * group_size,
                              biased.begin() + (g + 1) * group_size);
    std::partial_sort(group.begin(), group.begin() + 2, group.end(),
                      std::greater<double>());
    worth[g] = group[0] + group[1];
  }
  const std::vector<int32_t> groups = Descending(worth);
  for (int64_t i = kOpenGroups; i < kGroups; ++i) {
    const auto closed = biased.begin() + groups[i] * group_size;
    std::fill(closed, closed + group_size,
              -std::numeric_limits<double>::infinity());
  }

  const std::vector<int32_t> order = Descending(biased);
  double sum = 0;
  for (int64_t j = 0; j < k; ++j) sum += score[order[j]];
  for (int64_t j = 0; j < k; ++j) {
    weights[j] = static_cast<float>(score[order[j]] / sum * scale);
    chosen[j] = order[j];
  }
}

}  // namespace
}  // namespace assay

// Binding.
extern "C" int moe_routing_ds(const DLTensor* router_logits,
                              const DLTensor* routing_bias,
                              float routed_scaling_factor,
                              DLTensor* topk_weights, DLTensor* topk_ids,
                              void* /*stream*/) {
  using namespace assay;
  if (!IsFloat32(router_logits->dtype)) return kUnsupportedDtype;
  const int64_t experts = router_logits->shape[1];
  const int64_t k = topk_ids->shape[1];
  for (int64_t t = 0; t < router_logits->shape[0]; ++t) {
    RouteToken(Data<float>(router_logits) + t * experts,
               Data<float>(routing_bias), routed_scaling_factor, experts, k,
               Data<float>(topk_weights) + t * k,
               Data<int32_t>(topk_ids) + t * k);
  }
  return kOk;
}
