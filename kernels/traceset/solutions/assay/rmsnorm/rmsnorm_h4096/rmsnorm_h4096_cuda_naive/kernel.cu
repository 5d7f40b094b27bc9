// RMSNorm with one block per row: a sum over the block, then a second pass over
// the row. Each thread loads one element at a time, and the row twice.

#include <dlpack/dlpack.h>

#include <cstdint>

#include "cuda_util.cuh"
#include "dl_tensor.h"

namespace assay {
namespace {

// Kernel.
template <typename T>
__global__ void RmsNormKernel(const T* __restrict__ x,
                              const T* __restrict__ weight, float eps,
                              int hidden_size, T* __restrict__ y) {
  x += int64_t{blockIdx.x} * hidden_size;
  y += int64_t{blockIdx.x} * hidden_size;
  float square_sum = 0;
  for (int i = threadIdx.x; i < hidden_size; i += blockDim.x) {
    square_sum += ToFloat(x[i]) * ToFloat(x[i]);
  }
  const float scale = rsqrtf(BlockSum(square_sum) / hidden_size + eps);
  for (int i = threadIdx.x; i < hidden_size; i += blockDim.x) {
    Assign(ToFloat(x[i]) * scale * ToFloat(weight[i]), &y[i]);
  }
}

// Launcher.
template <typename T>
int RmsNorm(const T* x, const T* weight, float eps, int64_t rows,
            int64_t hidden_size, T* y, cudaStream_t stream) {
  const int threads = hidden_size < 256 ? kWarpSize : 256;
  RmsNormKernel<<<rows, threads, 0, stream>>>(x, weight, eps, hidden_size, y);
  return LaunchStatus();
}

}  // namespace
}  // namespace assay

// Binding.
extern "C" int rmsnorm(const DLTensor* hidden_states, const DLTensor* weight,
                       float eps, DLTensor* output, void* stream) {
  using namespace assay;
  using T = __nv_bfloat16;
  if (!IsBfloat16(hidden_states->dtype)) return kUnsupportedDtype;
  return RmsNorm(Data<T>(hidden_states), Data<T>(weight), eps,
                 hidden_states->shape[0], hidden_states->shape[1],
                 Data<T>(output), static_cast<cudaStream_t>(stream));
}
