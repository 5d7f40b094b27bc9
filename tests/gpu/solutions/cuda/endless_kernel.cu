// Its kernel never ends.
#include "double.cuh"

__global__ void Spin(volatile float* y) {
  while (true) y[0] = 1;
}

extern "C" int run(const DLTensor* x, DLTensor* y, void* stream) {
  Spin<<<1, 1, 0, static_cast<cudaStream_t>(stream)>>>(Data(y));
  return static_cast<int>(cudaGetLastError());
}
