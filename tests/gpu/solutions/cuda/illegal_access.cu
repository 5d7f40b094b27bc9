// Writes where no memory is.
#include "double.cuh"

__global__ void Write(float* where) { where[threadIdx.x] = 1; }

extern "C" int run(const DLTensor* x, DLTensor* y, void* stream) {
  LaunchDouble(x, y, static_cast<cudaStream_t>(stream));
  Write<<<1, 1, 0, static_cast<cudaStream_t>(stream)>>>(
      reinterpret_cast<float*>(16));
  return static_cast<int>(cudaGetLastError());
}
