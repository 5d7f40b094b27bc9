// The plain C binding of scale.cuh.

#include <dlpack/dlpack.h>

#include "dl_tensor.h"
#include "scale.cuh"

extern "C" int scale(const DLTensor* x, float factor, DLTensor* y,
                     void* stream) {
  using namespace assay;
  const auto s = static_cast<cudaStream_t>(stream);
  const int64_t n = NumElements(x);
  if (IsFloat32(x->dtype)) {
    return Scale(Data<float>(x), factor, n, Data<float>(y), s);
  }
  if (IsBfloat16(x->dtype)) {
    return Scale(Data<__nv_bfloat16>(x), factor, n, Data<__nv_bfloat16>(y), s);
  }
  return kUnsupportedDtype;
}
