// Writes one element past its output: guard bands are verified.
#include "operators.cuh"

__global__ void Put(float* at) { *at = 1; }

extern "C" int run(const DLTensor* x, DLTensor* y, void* stream) {
  Double(x, y, stream);
  Put<<<1, 1, 0, static_cast<cudaStream_t>(stream)>>>(Out(y) + Count(x));
  return LastError();
}
