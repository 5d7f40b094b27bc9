// Honest: a first call that takes 300 ms longer, and takes 1 GB to keep.
#include <unistd.h>

#include "operators.cuh"

extern "C" int run(const DLTensor* x, DLTensor* y, void* stream) {
  static void* workspace = nullptr;
  if (workspace == nullptr) {
    usleep(300000);
    if (cudaMalloc(&workspace, size_t{1} << 30) != cudaSuccess) return 9;
  }
  LogSoftmax(x, y, stream);
  return LastError();
}
