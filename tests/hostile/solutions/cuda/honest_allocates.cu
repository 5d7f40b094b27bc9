// Honest: memory of the stream's pool and of the device in each call.
#include "operators.cuh"

extern "C" int run(const DLTensor* x, DLTensor* y, void* stream) {
  const auto on = static_cast<cudaStream_t>(stream);
  void *pooled = nullptr, *plain = nullptr;
  cudaMallocAsync(&pooled, Bytes(x), on);
  cudaMalloc(&plain, 1 << 20);
  LaunchLogSoftmax(In(x), static_cast<float*>(pooled), Rows(x), Columns(x), on);
  cudaMemcpyAsync(y->data, pooled, Bytes(x), cudaMemcpyDeviceToDevice, on);
  cudaFreeAsync(pooled, on);
  cudaFree(plain);
  return LastError();
}
