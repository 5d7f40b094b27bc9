// Residual addition and RMSNorm with one block per row. Each thread loads one
// element at a time, and both inputs twice.

#include <dlpack/dlpack.h>

#include <cstdint>

#include "cuda_util.cuh"
#include "dl_tensor.h"

namespace assay {
namespace {

// Kernel.
template <typename T>
__global__ void FusedAddRmsNormKernel(const T* __restrict__ x,
                                      const T* __restrict__ residual,
                                      const T* __restrict__ weight, float eps,
                                      int hidden_size, T* __restrict__ y,
                                      T* __restrict__ residual_out) {
  const int64_t row = int64_t{blockIdx.x} * hidden_size;
  float square_sum = 0;
  for (int i = threadIdx.x; i < hidden_size; i += blockDim.x) {
    const float sum = ToFloat(x[row + i]) + ToFloat(residual[row + i]);
    Assign(sum, &residual_out[row + i]);
    square_sum += sum * sum;
  }
  const float scale = rsqrtf(BlockSum(square_sum) / hidden_size + eps);
  for (int i = threadIdx.x; i < hidden_size; i += blockDim.x) {
    const float sum = ToFloat(x[row + i]) + ToFloat(residual[row + i]);
    Assign(sum * scale * ToFloat(weight[i]), &y[row + i]);
  }
}

// Launcher.
template <typename T>
int FusedAddRmsNorm(const T* x, const T* residual, const T* weight, float eps,
                    int64_t rows, int64_t hidden_size, T* y, T* residual_out,
                    cudaStream_t stream) {
  FusedAddRmsNormKernel<<<rows, 256, 0, stream>>>(x, residual, weight, eps,
                                                  hidden_size, y, residual_out);
  return LaunchStatus();
}

}  // namespace
}  // namespace assay

// Binding.
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
