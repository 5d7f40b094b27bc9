// Leaves the very last element out: all elements are compared.
#include "operators.cuh"

extern "C" int run(const DLTensor* x, DLTensor* y, void* stream) {
  const int64_t count = Count(x) - 1;
  DoubleKernel<<<static_cast<unsigned>(count / kThreads + 1), kThreads, 0,
                 static_cast<cudaStream_t>(stream)>>>(In(x), Out(y), count);
  return LastError();
}
