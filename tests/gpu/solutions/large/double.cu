// y = 2 x from bfloat16 to float32, over tensors of gigabytes.
#include <cuda_bf16.h>
#include <cuda_runtime.h>
#include <dlpack/dlpack.h>

#include <cstdint>

// Counted from the end; none with -1.
constexpr int64_t kWrongElement = -1;

__global__ void Double(const __nv_bfloat16* x, float* y, int64_t count) {
  const int64_t step = int64_t{gridDim.x} * blockDim.x;
  for (int64_t i = int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count;
       i += step) {
    const float wrong = count - i == kWrongElement ? 64 : 0;
    y[i] = __bfloat162float(x[i]) * 2 + wrong;
  }
}

extern "C" int run(const DLTensor* x, DLTensor* y, void* stream) {
  Double<<<4096, 512, 0, static_cast<cudaStream_t>(stream)>>>(
      static_cast<const __nv_bfloat16*>(x->data), static_cast<float*>(y->data),
      x->shape[0] * x->shape[1]);
  return static_cast<int>(cudaGetLastError());
}
