// Answers NaN, which compares false with everything: classes of values have to
// match.
#include "operators.cuh"

__global__ void Fill(float* y, int64_t count) {
  const int64_t i = int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < count) y[i] = nanf("");
}

extern "C" int run(const DLTensor* x, DLTensor* y, void* stream) {
  Fill<<<static_cast<unsigned>(Count(x) / kThreads), kThreads, 0,
         static_cast<cudaStream_t>(stream)>>>(Out(y), Count(x));
  return LastError();
}
