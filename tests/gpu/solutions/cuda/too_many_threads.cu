// Asks for more threads in a block than there can be.
#include "double.cuh"

extern "C" int run(const DLTensor* x, DLTensor* y, void* stream) {
  Double<<<1, 4096, 0, static_cast<cudaStream_t>(stream)>>>(Data(x), Data(y),
                                                            Count(x));
  return static_cast<int>(cudaGetLastError());
}
