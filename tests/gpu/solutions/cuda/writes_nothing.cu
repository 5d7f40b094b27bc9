// Leaves the output as it was.
#include "double.cuh"

extern "C" int run(const DLTensor* x, DLTensor* y, void* stream) {
  return static_cast<int>(cudaGetLastError());
}
