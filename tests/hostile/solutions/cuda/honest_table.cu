// Honest: a large table of constants in device memory, and one in the image.
#include "operators.cuh"

__constant__ float factors[4] = {2, 2, 2, 2};
__device__ float table[1 << 22];

__global__ void FillTable() {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < 1 << 22) table[i] = 1;
}

__global__ void Look(const float* x, float* y, int64_t count) {
  const int64_t i = int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < count) y[i] = x[i] * factors[i % 4] * table[i % (1 << 22)];
}

extern "C" int run(const DLTensor* x, DLTensor* y, void* stream) {
  const auto on = static_cast<cudaStream_t>(stream);
  static bool filled = false;
  if (!filled) FillTable<<<(1 << 22) / kThreads, kThreads, 0, on>>>();
  filled = true;
  Look<<<static_cast<unsigned>(Count(x) / kThreads), kThreads, 0, on>>>(
      In(x), Out(y), Count(x));
  return LastError();
}
