// The plain C binding of fused_add_rmsnorm.cuh.

#include <dlpack/dlpack.h>

#include "dl_tensor.h"
#include "fused_add_rmsnorm.cuh"

extern "C" int fused_add_rmsnorm(const DLTensor* hidden_states,
                                 const DLTensor* residual,
                                 const DLTensor* weight, float eps,
                                 DLTensor* output, DLTensor* residual_out,
                                 void* stream) {
  using namespace assay;
  using T = __nv_bfloat16;
  if (!IsBfloat16(hidden_states->dtype)) return kUnsupportedDtype;
  return FusedAddRmsNorm(
      Data<T>(hidden_states), Data<T>(residual), Data<T>(weight), eps,
      hidden_states->shape[0], hidden_states->shape[1], Data<T>(output),
      Data<T>(residual_out), static_cast<cudaStream_t>(stream));
}
