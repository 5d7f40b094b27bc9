// y = x * factor, one thread per element.

#include <dlpack/dlpack.h>

#include <cstdint>

#include "cuda_util.cuh"
#include "dl_tensor.h"

namespace assay {
namespace {

// Kernel.
template <typename T>
__global__ void ScaleKernel(const T* __restrict__ x, float factor,
                            int64_t count, T* __restrict__ y) {
  const int64_t i = int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < count) Assign(ToFloat(x[i]) * factor, &y[i]);
}

// Launcher.
template <typename T>
int Scale(const T* x, float factor, int64_t count, T* y, cudaStream_t stream) {
  constexpr int kThreads = 256;
  ScaleKernel<<<CeilDiv(count, kThreads), kThreads, 0, stream>>>(x, factor,
                                                                 count, y);
  return LaunchStatus();
}

}  // namespace
}  // namespace assay

// Binding.
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
