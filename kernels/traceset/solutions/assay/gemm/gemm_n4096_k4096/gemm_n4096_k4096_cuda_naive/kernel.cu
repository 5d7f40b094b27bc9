// C = A * B^T with one thread per element of C. Neighbouring threads share a
// row of A and read neighbouring rows of B, so nothing is coalesced but the
// store.

#include <dlpack/dlpack.h>

#include <cstdint>

#include "cuda_util.cuh"
#include "dl_tensor.h"

namespace assay {
namespace {

// Kernel.
template <typename T>
__global__ void GemmKernel(const T* __restrict__ a, const T* __restrict__ b,
                           int64_t m, int64_t n, int64_t k, T* __restrict__ c) {
  const int64_t j = int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const int64_t i = int64_t{blockIdx.y} * blockDim.y + threadIdx.y;
  if (i >= m || j >= n) return;
  float sum = 0;
  for (int64_t p = 0; p < k; ++p) {
    sum += ToFloat(a[i * k + p]) * ToFloat(b[j * k + p]);
  }
  Assign(sum, &c[i * n + j]);
}

// Launcher.
template <typename T>
int Gemm(const T* a, const T* b, int64_t m, int64_t n, int64_t k, T* c,
         cudaStream_t stream) {
  const dim3 block(32, 8);
  const dim3 grid(CeilDiv(n, block.x), CeilDiv(m, block.y));
  GemmKernel<<<grid, block, 0, stream>>>(a, b, m, n, k, c);
  return LaunchStatus();
}

}  // namespace
}  // namespace assay

// Binding.
extern "C" int gemm(const DLTensor* A, const DLTensor* B, DLTensor* C,
                    void* stream) {
  using namespace assay;
  using T = __nv_bfloat16;
  if (!IsBfloat16(A->dtype)) return kUnsupportedDtype;
  return Gemm(Data<T>(A), Data<T>(B), A->shape[0], B->shape[0], A->shape[1],
              Data<T>(C), static_cast<cudaStream_t>(stream));
}
