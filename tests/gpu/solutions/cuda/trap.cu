// Stops the kernel with a trap.
#include "double.cuh"

__global__ void Trap() { __trap(); }

extern "C" int run(const DLTensor* x, DLTensor* y, void* stream) {
  LaunchDouble(x, y, static_cast<cudaStream_t>(stream));
  Trap<<<1, 1, 0, static_cast<cudaStream_t>(stream)>>>();
  return static_cast<int>(cudaGetLastError());
}
