// Decode attention over a paged KV cache, block by block. The keys and values
// of a block of tokens are gathered once, as float, for all query heads that
// share them; a running softmax joins the blocks, so no list of logits is kept.

#include <dlpack/dlpack.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "attention.h"
#include "bf16.h"
#include "dl_tensor.h"
#include "simd.h"

namespace assay {
namespace {

constexpr float kLog2E = 1.44269504f;

struct Shape {
  int64_t batch_size;
  int64_t qo_heads;
  int64_t kv_heads;
  int64_t head_dim;
};

// Buffers for one KV head and the group of query heads that attends to it.
struct Scratch {
  explicit Scratch(int64_t group, int64_t dim)
      : q(group * dim),
        k(kTokenBlock * dim),
        v(kTokenBlock * dim),
        logits(group * kTokenBlock),
        output(group * dim),
        softmax(group) {}

  std::vector<float> q, k, v, logits, output;
  std::vector<RunningSoftmax> softmax;
};

// Copies one head of `tokens` pages into rows of floats.
void Gather(const Bf16* cache, int64_t stride, const int32_t* pages,
            int64_t tokens, int64_t dim, float* rows) {
  for (int64_t t = 0; t < tokens; ++t) {
    const Bf16* source = cache + pages[t] * stride;
    for (int64_t d = 0; d < dim; d += kLanes) {
      Store(Load(source + d), rows + t * dim + d);
    }
  }
}

// A group of query heads over the pages of one sequence.
void AttendGroup(const Bf16* q, const Bf16* k, const Bf16* v,
                 const int32_t* pages, int64_t tokens, int64_t stride,
                 int64_t group, int64_t dim, float sm_scale, Scratch& s,
                 Bf16* output, float* lse) {
  for (int64_t i = 0; i < group * dim; i += kLanes) {
    Store(Load(q + i) * (sm_scale * kLog2E), &s.q[i]);
  }
  std::fill(s.output.begin(), s.output.end(), 0.0f);
  std::fill(s.softmax.begin(), s.softmax.end(), RunningSoftmax());
  for (int64_t first = 0; first < tokens; first += kTokenBlock) {
    const int64_t count = std::min(kTokenBlock, tokens - first);
    Gather(k, stride, pages + first, count, dim, s.k.data());
    Gather(v, stride, pages + first, count, dim, s.v.data());
    BlockLogits(s.q.data(), group, s.k.data(), count, dim, s.logits.data());
    for (int64_t h = 0; h < group; ++h) {
      float* weight = &s.logits[h * kTokenBlock];
      const float keep = s.softmax[h].Add(weight, count);
      AddWeighted(weight, s.v.data(), dim, count, dim, keep,
                  &s.output[h * dim]);
    }
  }
  for (int64_t h = 0; h < group; ++h) {
    const float scale = tokens > 0 ? 1.0f / s.softmax[h].sum : 0.0f;
    for (int64_t d = 0; d < dim; d += kLanes) {
      Store(Load(&s.output[h * dim + d]) * scale, output + h * dim + d);
    }
    lse[h] = s.softmax[h].Log2Sum();
  }
}

void GqaDecode(const Bf16* q, const Bf16* k_cache, const Bf16* v_cache,
               const int32_t* kv_indptr, const int32_t* kv_indices,
               float sm_scale, const Shape& shape, Bf16* output, float* lse) {
  const int64_t group = shape.qo_heads / shape.kv_heads;
  const int64_t dim = shape.head_dim;
  Scratch scratch(group, dim);
  for (int64_t b = 0; b < shape.batch_size; ++b) {
    for (int64_t kv = 0; kv < shape.kv_heads; ++kv) {
      const int64_t head = b * shape.qo_heads + kv * group;
      AttendGroup(q + head * dim, k_cache + kv * dim, v_cache + kv * dim,
                  kv_indices + kv_indptr[b], kv_indptr[b + 1] - kv_indptr[b],
                  shape.kv_heads * dim, group, dim, sm_scale, scratch,
                  output + head * dim, lse + head);
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
  const Shape shape = {q->shape[0], q->shape[1], k_cache->shape[2],
                       q->shape[2]};
  if (k_cache->shape[1] != 1 || shape.head_dim % 128 != 0) {
    return kUnsupportedShape;
  }
  GqaDecode(Data<Bf16>(q), Data<Bf16>(k_cache), Data<Bf16>(v_cache),
            Data<int32_t>(kv_indptr), Data<int32_t>(kv_indices), sm_scale,
            shape, Data<Bf16>(output), Data<float>(lse));
  return kOk;
}
