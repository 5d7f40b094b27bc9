// Log-softmax with one block per row, in three passes: maximum, sum of
// exponentials, result.

#include <dlpack/dlpack.h>

#include <cstdint>

#include "cuda_util.cuh"
#include "dl_tensor.h"

namespace assay {
namespace {

// Kernel.
__global__ void LogSoftmaxKernel(const float* __restrict__ x, float temperature,
                                 int size, float* __restrict__ y) {
  x += int64_t{blockIdx.x} * size;
  y += int64_t{blockIdx.x} * size;
  float max = -INFINITY;
  for (int i = threadIdx.x; i < size; i += blockDim.x) max = fmaxf(max, x[i]);
  max = BlockMax(max) / temperature;
  float sum = 0;
  for (int i = threadIdx.x; i < size; i += blockDim.x) {
    sum += expf(x[i] / temperature - max);
  }
  const float log_sum = max + logf(BlockSum(sum));
  for (int i = threadIdx.x; i < size; i += blockDim.x) {
    y[i] = x[i] / temperature - log_sum;
  }
}

// Launcher.
int LogSoftmax(const float* x, float temperature, int64_t rows, int64_t size,
               float* y, cudaStream_t stream) {
  LogSoftmaxKernel<<<rows, 256, 0, stream>>>(x, temperature, size, y);
  return LaunchStatus();
}

}  // namespace
}  // namespace assay

// Binding.
extern "C" int log_softmax(const DLTensor* logits, float temperature,
                           DLTensor* logprobs, void* stream) {
  using namespace assay;
  if (!IsFloat32(logits->dtype)) return kUnsupportedDtype;
  return LogSoftmax(Data<float>(logits), temperature, logits->shape[0],
                    logits->shape[1], Data<float>(logprobs),
                    static_cast<cudaStream_t>(stream));
}
