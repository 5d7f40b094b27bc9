// A single NaN in the last place: classes of values have to match.
#include "operators.cuh"

__global__ void Put(float* at) { *at = nanf(""); }

extern "C" int run(const DLTensor* x, DLTensor* y, void* stream) {
  Double(x, y, stream);
  Put<<<1, 1, 0, static_cast<cudaStream_t>(stream)>>>(Out(y) + Count(x) - 1);
  return LastError();
}
