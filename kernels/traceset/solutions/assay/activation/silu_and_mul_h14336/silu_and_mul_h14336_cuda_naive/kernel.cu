// y = gate / (1 + exp(-gate)) * up, one thread per element.

#include <dlpack/dlpack.h>

#include <cstdint>

#include "cuda_util.cuh"
#include "dl_tensor.h"

namespace assay {
namespace {

// Kernel.
template <typename T>
__global__ void SiluAndMulKernel(const T* __restrict__ x, int64_t rows,
                                 int64_t size, T* __restrict__ y) {
  const int64_t i = int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= rows * size) return;
  const T* gate = x + i / size * 2 * size + i % size;
  const float g = ToFloat(gate[0]);
  Assign(g / (1.0f + expf(-g)) * ToFloat(gate[size]), &y[i]);
}

// Launcher.
template <typename T>
int SiluAndMul(const T* x, int64_t rows, int64_t size, T* y,
               cudaStream_t stream) {
  constexpr int kThreads = 256;
  SiluAndMulKernel<<<CeilDiv(rows * size, kThreads), kThreads, 0, stream>>>(
      x, rows, size, y);
  return LaunchStatus();
}

}  // namespace
}  // namespace assay

// Binding.
extern "C" int silu_and_mul(const DLTensor* x, DLTensor* y, void* stream) {
  using namespace assay;
  using T = __nv_bfloat16;
  if (!IsBfloat16(x->dtype)) return kUnsupportedDtype;
  return SiluAndMul(Data<T>(x), y->shape[0], y->shape[1], Data<T>(y),
                    static_cast<cudaStream_t>(stream));
}
