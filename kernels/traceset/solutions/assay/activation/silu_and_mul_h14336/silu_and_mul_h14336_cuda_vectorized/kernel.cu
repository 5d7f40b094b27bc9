// The plain C binding of silu_and_mul.cuh.

#include <dlpack/dlpack.h>

#include "dl_tensor.h"
#include "silu_and_mul.cuh"

extern "C" int silu_and_mul(const DLTensor* x, DLTensor* y, void* stream) {
  using namespace assay;
  using T = __nv_bfloat16;
  if (!IsBfloat16(x->dtype)) return kUnsupportedDtype;
  return SiluAndMul(Data<T>(x), y->shape[0], y->shape[1], Data<T>(y),
                    static_cast<cudaStream_t>(stream));
}
