// The plain C binding of rmsnorm.cuh.

#include <dlpack/dlpack.h>

#include "dl_tensor.h"
#include "rmsnorm.cuh"

extern "C" int rmsnorm(const DLTensor* hidden_states, const DLTensor* weight,
                       float eps, DLTensor* output, void* stream) {
  using namespace assay;
  using T = __nv_bfloat16;
  if (!IsBfloat16(hidden_states->dtype)) return kUnsupportedDtype;
  return RmsNorm(Data<T>(hidden_states), Data<T>(weight), eps,
                 hidden_states->shape[0], hidden_states->shape[1],
                 Data<T>(output), static_cast<cudaStream_t>(stream));
}
