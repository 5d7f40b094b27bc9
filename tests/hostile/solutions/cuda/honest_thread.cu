// Honest: another thread launches the kernel, and is joined.
#include <thread>

#include "operators.cuh"

extern "C" int run(const DLTensor* x, DLTensor* y, void* stream) {
  int device = 0;
  cudaGetDevice(&device);
  std::thread([=] {
    cudaSetDevice(device);
    LogSoftmax(x, y, stream);
  }).join();
  return LastError();
}
