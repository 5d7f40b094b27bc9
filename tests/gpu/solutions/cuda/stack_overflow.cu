// Calls itself until the stack of the thread is used up.
#include "double.cuh"

__device__ __noinline__ int Descend(volatile int* y, int depth) {
  volatile int frame[256];
  for (int i = 0; i < 256; ++i) frame[i] = y[i] + depth;
  if (depth == 1 << 30) return 0;
  return Descend(y, depth + 1) + frame[depth % 256];
}

__global__ void Recurse(int* y) { *y = Descend(y, 0); }

extern "C" int run(const DLTensor* x, DLTensor* y, void* stream) {
  LaunchDouble(x, y, static_cast<cudaStream_t>(stream));
  Recurse<<<1, 1, 0, static_cast<cudaStream_t>(stream)>>>(
      static_cast<int*>(y->data));
  return static_cast<int>(cudaGetLastError());
}
