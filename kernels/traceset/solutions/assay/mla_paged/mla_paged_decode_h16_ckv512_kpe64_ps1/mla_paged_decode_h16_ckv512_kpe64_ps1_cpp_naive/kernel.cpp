// Latent attention (MLA) over a paged cache, one head after the other. A cached
// token is a compressed vector that serves as key and as value, and a short
// positional part that is only a key; all heads share both.

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

float Dot(const Bf16* a, const Bf16* b, int64_t count) {
  float sum = 0;
  for (int64_t i = 0; i < count; ++i) sum += ToFloat(a[i]) * ToFloat(b[i]);
  return sum;
}

struct Dims {
  int64_t ckv;
  int64_t kpe;
};

void AttendHead(const Bf16* q_nope, const Bf16* q_pe, const Bf16* ckv_cache,
                const Bf16* kpe_cache, const int32_t* pages, int64_t tokens,
                float sm_scale, const Dims& dims, Bf16* output, float* lse) {
  if (tokens == 0) {
    for (int64_t d = 0; d < dims.ckv; ++d) Assign(0.0f, &output[d]);
    *lse = -std::numeric_limits<float>::infinity();
    return;
  }
  std::vector<float> weight(tokens);
  for (int64_t t = 0; t < tokens; ++t) {
    const float nope = Dot(q_nope, ckv_cache + pages[t] * dims.ckv, dims.ckv);
    const float pe = Dot(q_pe, kpe_cache + pages[t] * dims.kpe, dims.kpe);
    weight[t] = (nope + pe) * sm_scale;
  }
  const float max = *std::max_element(weight.begin(), weight.end());
  float sum = 0;
  for (float& w : weight) {
    w = std::exp(w - max);
    sum += w;
  }
  for (int64_t d = 0; d < dims.ckv; ++d) {
    float value = 0;
    for (int64_t t = 0; t < tokens; ++t) {
      value += weight[t] * ToFloat(ckv_cache[pages[t] * dims.ckv + d]);
    }
    Assign(value / sum, &output[d]);
  }
  *lse = (max + std::log(sum)) / std::log(2.0f);
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
  if (ckv_cache->shape[1] != 1) return kUnsupportedShape;  // page_size
  const int64_t heads = q_nope->shape[1];
  const Dims dims = {q_nope->shape[2], q_pe->shape[2]};
  const int32_t* bounds = Data<int32_t>(kv_indptr);
  for (int64_t head = 0; head < q_nope->shape[0] * heads; ++head) {
    const int64_t b = head / heads;
    AttendHead(Data<Bf16>(q_nope) + head * dims.ckv,
               Data<Bf16>(q_pe) + head * dims.kpe, Data<Bf16>(ckv_cache),
               Data<Bf16>(kpe_cache), Data<int32_t>(kv_indices) + bounds[b],
               bounds[b + 1] - bounds[b], sm_scale, dims,
               Data<Bf16>(output) + head * dims.ckv, Data<float>(lse) + head);
  }
  return kOk;
}
