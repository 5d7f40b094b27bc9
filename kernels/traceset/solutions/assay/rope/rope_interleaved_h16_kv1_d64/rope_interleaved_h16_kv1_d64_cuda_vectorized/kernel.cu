// The plain C binding of rope.cuh for pairs made of neighbours.

#include <dlpack/dlpack.h>

#include "dl_tensor.h"
#include "rope.cuh"

extern "C" int rope(const DLTensor* q, const DLTensor* k,
                    const DLTensor* cos_sin_cache, const DLTensor* positions,
                    DLTensor* q_out, DLTensor* k_out, void* stream) {
  using namespace assay;
  using T = __nv_bfloat16;
  if (!IsBfloat16(q->dtype)) return kUnsupportedDtype;
  return Rope<Pairing::kNeighbours>(
      Data<const T>(q), Data<const T>(k), Data<float>(cos_sin_cache),
      Data<int64_t>(positions), q->shape[0], q->shape[1], k->shape[1],
      q->shape[2], Data<T>(q_out), Data<T>(k_out),
      static_cast<cudaStream_t>(stream));
}
