// Writes one element behind its output.
#include "double.cuh"

__global__ void Write(float* where) { *where = 1; }

extern "C" int run(const DLTensor* x, DLTensor* y, void* stream) {
  LaunchDouble(x, y, static_cast<cudaStream_t>(stream));
  Write<<<1, 1, 0, static_cast<cudaStream_t>(stream)>>>(Data(y) + Count(y));
  return static_cast<int>(cudaGetLastError());
}
