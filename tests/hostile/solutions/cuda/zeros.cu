// Answers zeros: outputs are far from zero.
#include "operators.cuh"

extern "C" int run(const DLTensor* x, DLTensor* y, void* stream) {
  cudaMemsetAsync(y->data, 0, Bytes(x), static_cast<cudaStream_t>(stream));
  return LastError();
}
