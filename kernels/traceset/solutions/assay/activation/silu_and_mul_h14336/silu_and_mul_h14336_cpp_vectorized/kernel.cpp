// The plain C binding of silu_and_mul.h.

#include <dlpack/dlpack.h>

#include "dl_tensor.h"
#include "silu_and_mul.h"

extern "C" int silu_and_mul(const DLTensor* x, DLTensor* y, void* /*stream*/) {
  using namespace assay;
  if (!IsBfloat16(x->dtype)) return kUnsupportedDtype;
  SiluAndMul(Data<Bf16>(x), y->shape[0], y->shape[1], Data<Bf16>(y));
  return kOk;
}
