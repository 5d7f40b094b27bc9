// y = x * factor, one element after the other.

#include <dlpack/dlpack.h>

#include <cstdint>

#include "bf16.h"
#include "dl_tensor.h"

namespace assay {
namespace {

template <typename T>
void Scale(const T* x, float factor, int64_t count, T* y) {
  for (int64_t i = 0; i < count; ++i) Assign(ToFloat(x[i]) * factor, &y[i]);
}

}  // namespace
}  // namespace assay

// Binding.
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
