// Honest: prints much in every call.
#include <cstdio>

#include "operators.cuh"

extern "C" int run(const DLTensor* x, DLTensor* y, void* stream) {
  for (int i = 0; i < 1000; ++i) std::printf("step %d of this call\n", i);
  LogSoftmax(x, y, stream);
  return LastError();
}
