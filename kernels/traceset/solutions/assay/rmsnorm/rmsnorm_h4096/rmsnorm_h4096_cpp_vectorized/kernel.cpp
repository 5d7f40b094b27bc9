// The plain C binding of rmsnorm.h.

#include <dlpack/dlpack.h>

#include "dl_tensor.h"
#include "rmsnorm.h"

extern "C" int rmsnorm(const DLTensor* hidden_states, const DLTensor* weight,
                       float eps, DLTensor* output, void* /*stream*/) {
  using namespace assay;
  if (!IsBfloat16(hidden_states->dtype)) return kUnsupportedDtype;
  RmsNorm(Data<Bf16>(hidden_states), Data<Bf16>(weight), eps,
          hidden_states->shape[0], hidden_states->shape[1], Data<Bf16>(output));
  return kOk;
}
