// Latent attention (MLA) over a paged cache, block by block. Both parts of the
// keys of a block of tokens are gathered once, as float, into one row per token
// for all heads; a running softmax joins the blocks.

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
  int64_t heads;
  int64_t ckv;
  int64_t kpe;

  int64_t Key() const { return ckv + kpe; }
};

struct Scratch {
  explicit Scratch(const Shape& shape)
      : q(shape.heads * shape.Key()),
        keys(kTokenBlock * shape.Key()),
        logits(shape.heads * kTokenBlock),
        output(shape.heads * shape.ckv),
        softmax(shape.heads) {}

  std::vector<float> q, keys, logits, output;
  std::vector<RunningSoftmax> softmax;
};

void CopyScaled(const Bf16* source, int64_t count, float scale, float* target) {
  for (int64_t i = 0; i < count; i += kLanes) {
    Store(Load(source + i) * scale, target + i);
  }
}

// All heads over the pages of one sequence.
void AttendSequence(const Bf16* q_nope, const Bf16* q_pe, const Bf16* ckv_cache,
                    const Bf16* kpe_cache, const int32_t* pages, int64_t tokens,
                    float sm_scale, const Shape& shape, Scratch& s,
                    Bf16* output, float* lse) {
  const int64_t ckv = shape.ckv, kpe = shape.kpe, key = shape.Key();
  for (int64_t h = 0; h < shape.heads; ++h) {
    const float scale = sm_scale * kLog2E;
    CopyScaled(q_nope + h * ckv, ckv, scale, &s.q[h * key]);
    CopyScaled(q_pe + h * kpe, kpe, scale, &s.q[h * key + ckv]);
  }
  std::fill(s.output.begin(), s.output.end(), 0.0f);
  std::fill(s.softmax.begin(), s.softmax.end(), RunningSoftmax());
  for (int64_t first = 0; first < tokens; first += kTokenBlock) {
    const int64_t count = std::min(kTokenBlock, tokens - first);
    for (int64_t t = 0; t < count; ++t) {
      const int64_t page = pages[first + t];
      CopyScaled(ckv_cache + page * ckv, ckv, 1.0f, &s.keys[t * key]);
      CopyScaled(kpe_cache + page * kpe, kpe, 1.0f, &s.keys[t * key + ckv]);
    }
    BlockLogits(s.q.data(), shape.heads, s.keys.data(), count, key,
                s.logits.data());
    for (int64_t h = 0; h < shape.heads; ++h) {
      float* weight = &s.logits[h * kTokenBlock];
      const float keep = s.softmax[h].Add(weight, count);
      AddWeighted(weight, s.keys.data(), key, count, ckv, keep,
                  &s.output[h * ckv]);
    }
  }
  for (int64_t h = 0; h < shape.heads; ++h) {
    const float scale = tokens > 0 ? 1.0f / s.softmax[h].sum : 0.0f;
    for (int64_t d = 0; d < ckv; d += kLanes) {
      Store(Load(&s.output[h * ckv + d]) * scale, output + h * ckv + d);
    }
    lse[h] = s.softmax[h].Log2Sum();
  }
}

}  // namespace
}  // namespace assay

// Binding.
extern "C" int mla_paged_decode(const DLTensor* q_nope, const DLTensor* q_pe,
                                const DLTensor* ckv_cache,
                                const DLTensor* kpe_cache,
                                const DLTensor* kv_indptr,
                                const DLTensor* kv_indices, float sm_scale,
                                DLTensor* output, DLTensor* lse,
                                void* /*stream*/) {
  using namespace assay;
  if (!IsBfloat16(q_nope->dtype)) return kUnsupportedDtype;
  const Shape shape = {q_nope->shape[0], q_nope->shape[1], q_nope->shape[2],
                       q_pe->shape[2]};
  if (ckv_cache->shape[1] != 1 || shape.ckv % 128 != 0 ||
      shape.kpe % kLanes != 0) {
    return kUnsupportedShape;
  }
  Scratch scratch(shape);
  const int32_t* bounds = Data<int32_t>(kv_indptr);
  for (int64_t b = 0; b < shape.batch_size; ++b) {
    const int64_t head = b * shape.heads;
    AttendSequence(Data<Bf16>(q_nope) + head * shape.ckv,
                   Data<Bf16>(q_pe) + head * shape.kpe, Data<Bf16>(ckv_cache),
                   Data<Bf16>(kpe_cache), Data<int32_t>(kv_indices) + bounds[b],
                   bounds[b + 1] - bounds[b], sm_scale, shape, scratch,
                   Data<Bf16>(output) + head * shape.ckv,
                   Data<float>(lse) + head);
  }
  return kOk;
}
