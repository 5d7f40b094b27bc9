// Stores 16 bytes at an address that is no multiple of it.
#include "double.cuh"

__global__ void Store(float* y) {
  *reinterpret_cast<float4*>(y + 1) = make_float4(1, 2, 3, 4);
}

extern "C" int run(const DLTensor* x, DLTensor* y, void* stream) {
  LaunchDouble(x, y, static_cast<cudaStream_t>(stream));
  Store<<<1, 1, 0, static_cast<cudaStream_t>(stream)>>>(Data(y));
  return static_cast<int>(cudaGetLastError());
}
