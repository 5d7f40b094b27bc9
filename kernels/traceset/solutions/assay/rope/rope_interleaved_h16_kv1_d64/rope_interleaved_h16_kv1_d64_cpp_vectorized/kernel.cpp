// The plain C binding of rope.h for pairs made of neighbours.

#include <dlpack/dlpack.h>

#include "dl_tensor.h"
#include "rope.h"

extern "C" int rope(const DLTensor* q, const DLTensor* k,
                    const DLTensor* cos_sin_cache, const DLTensor* positions,
                    DLTensor* q_out, DLTensor* k_out, void* /*stream*/) {
  using namespace assay;
  if (!IsBfloat16(q->dtype)) return kUnsupportedDtype;
  const int64_t tokens = q->shape[0];
  const int64_t head_dim = q->shape[2];
  if (head_dim % (2 * kLanes) != 0) return kUnsupportedShape;
  const float* cache = Data<float>(cos_sin_cache);
  const int64_t* rows = Data<int64_t>(positions);
  Rope<Pairing::kNeighbours>(Data<Bf16>(q), cache, rows, tokens, q->shape[1],
                             head_dim, Data<Bf16>(q_out));
  Rope<Pairing::kNeighbours>(Data<Bf16>(k), cache, rows, tokens, k->shape[1],
                             head_dim, Data<Bf16>(k_out));
  return kOk;
}
