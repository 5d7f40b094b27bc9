// Right, but leaves a thread that launches kernels for ever.
#include <thread>

#include "double.cuh"

__global__ void Spin() {
  const int64_t start = clock64();
  while (clock64() - start < 100000) {
  }
}

namespace {

void LaunchForEver() {
  cudaStream_t stream = nullptr;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  while (true) {
    Spin<<<1, 32, 0, stream>>>();
    cudaStreamSynchronize(stream);
  }
}

}  // namespace

extern "C" int run(const DLTensor* x, DLTensor* y, void* stream) {
  static const bool started = [] {
    std::thread(LaunchForEver).detach();
    return true;
  }();
  LaunchDouble(x, y, static_cast<cudaStream_t>(stream));
  return started ? static_cast<int>(cudaGetLastError()) : 1;
}
