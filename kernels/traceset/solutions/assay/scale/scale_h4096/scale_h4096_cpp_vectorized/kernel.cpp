// The plain C binding of scale.h.

#include <dlpack/dlpack.h>

#include "dl_tensor.h"
#include "scale.h"

extern "C" int scale(const DLTensor* x, float factor, DLTensor* y,
                     void* /*stream*/) {
  using namespace assay;
  const int64_t count = NumElements(x);
  if (IsFloat32(x->dtype)) {
    Scale(Data<float>(x), factor, count, Data<float>(y));
  } else if (IsBfloat16(x->dtype)) {
    Scale(Data<Bf16>(x), factor, count, Data<Bf16>(y));
  } else {
    return kUnsupportedDtype;
  }
  return kOk;
}
