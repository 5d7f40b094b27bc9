// Honest: waits for the device within the call.
#include "operators.cuh"

extern "C" int run(const DLTensor* x, DLTensor* y, void* stream) {
  LogSoftmax(x, y, stream);
  return static_cast<int>(cudaDeviceSynchronize());
}
