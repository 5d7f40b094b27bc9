// Crashes on the host.
#include "double.cuh"

extern "C" int run(const DLTensor* x, DLTensor* y, void* stream) {
  LaunchDouble(x, y, static_cast<cudaStream_t>(stream));
  *reinterpret_cast<volatile int*>(8) = 1;
  return static_cast<int>(cudaGetLastError());
}
