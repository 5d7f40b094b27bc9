// Honest: uses its output as scratch, in several kernels.
#include "operators.cuh"

__global__ void Multiply(const float* x, float* y, float factor,
                         int64_t count) {
  const int64_t i = int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < count) y[i] = x[i] * factor;
}

extern "C" int run(const DLTensor* x, DLTensor* y, void* stream) {
  const auto on = static_cast<cudaStream_t>(stream);
  const auto blocks = static_cast<unsigned>(Count(x) / kThreads);
  Multiply<<<blocks, kThreads, 0, on>>>(In(x), Out(y), -1, Count(x));
  Multiply<<<blocks, kThreads, 0, on>>>(Out(y), Out(y), -4, Count(x));
  Multiply<<<blocks, kThreads, 0, on>>>(Out(y), Out(y), 0.5F, Count(x));
  return LastError();
}
