// Decode attention over a paged KV cache, one query head after the other: all
// logits, their softmax, the weighted sum of values.

#include <dlpack/dlpack.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "bf16.h"
#include "dl_tensor.h"

namespace assay {
namespace {

struct Shape {
  int64_t batch_size;
  int64_t qo_heads;
  int64_t kv_heads;
  int64_t head_dim;
};

// One query head over `tokens` pages. k and v point at its KV head in page 0;
// stride is the distance between pages.
void AttendHead(const Bf16* q, const Bf16* k, const Bf16* v,
                const int32_t* pages, int64_t tokens, int64_t stride,
                int64_t head_dim, float sm_scale, Bf16* output, float* lse) {
  if (tokens == 0) {
    for (int64_t d = 0; d < head_dim; ++d) Assign(0.0f, &output[d]);
    *lse = -std::numeric_limits<float>::infinity();
    return;
  }
  std::vector<float> weight(tokens);
  for (int64_t t = 0; t < tokens; ++t) {
    float dot = 0;
    for (int64_t d = 0; d < head_dim; ++d) {
      dot += ToFloat(q[d]) * ToFloat(k[pages[t] * stride + d]);
    }
    weight[t] = dot * sm_scale;
  }
  const float max = *std::max_element(weight.begin(), weight.end());
  float sum = 0;
  for (float& w : weight) {
    w = std::exp(w - max);
    sum += w;
  }
  for (int64_t d = 0; d < head_dim; ++d) {
    float value = 0;
    for (int64_t t = 0; t < tokens; ++t) {
      value += weight[t] * ToFloat(v[pages[t] * stride + d]);
    }
    Assign(value / sum, &output[d]);
  }
  *lse = (max + std::log(sum)) / std::log(2.0f);
}

void GqaDecode(const Bf16* q, const Bf16* k_cache, const Bf16* v_cache,
               const int32_t* kv_indptr, const int32_t* kv_indices,
               float sm_scale, const Shape& shape, Bf16* output, float* lse) {
  const int64_t group = shape.qo_heads / shape.kv_heads;
  for (int64_t b = 0; b < shape.batch_size; ++b) {
    for (int64_t h = 0; h < shape.qo_heads; ++h) {
      const int64_t head = b * shape.qo_heads + h;
      const int64_t kv_head = h / group * shape.head_dim;
      AttendHead(q + head * shape.head_dim, k_cache + kv_head,
                 v_cache + kv_head, kv_indices + kv_indptr[b],
                 kv_indptr[b + 1] - kv_indptr[b],
                 shape.kv_heads * shape.head_dim, shape.head_dim, sm_scale,
                 output + head * shape.head_dim, lse + head);
    }
  }
}

}  // namespace
}  // namespace assay

// Binding.
extern "C" int gqa_paged_decode(const DLTensor* q, const DLTensor* k_cache,
                                const DLTensor* v_cache,
                                const DLTensor* kv_indptr,
                                const DLTensor* kv_indices, float sm_scale,
                                DLTensor* output, DLTensor* lse,
                                void* /*stream*/) {
  using namespace assay;
  if (!IsBfloat16(q->dtype)) return kUnsupportedDtype;
  if (k_cache->shape[1] != 1) return kUnsupportedShape;  // page_size
  const Shape shape = {q->shape[0], q->shape[1], k_cache->shape[2],
                       q->shape[2]};
  GqaDecode(Data<Bf16>(q), Data<Bf16>(k_cache), Data<Bf16>(v_cache),
            Data<int32_t>(kv_indptr), Data<int32_t>(kv_indices), sm_scale,
            shape, Data<Bf16>(output), Data<float>(lse));
  return kOk;
}
