// Honest: adds to sums in an order that differs each time.
#include "operators.cuh"

__global__ void AddParts(const float* x, float* y, int64_t columns) {
  const float* row = x + blockIdx.y * columns;
  const int64_t i = int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < columns) atomicAdd(y + blockIdx.y, row[i]);
}

extern "C" int run(const DLTensor* x, DLTensor* y, void* stream) {
  const auto on = static_cast<cudaStream_t>(stream);
  cudaMemsetAsync(y->data, 0, static_cast<size_t>(Rows(x)) * sizeof(float), on);
  const dim3 grid(static_cast<unsigned>(Columns(x) / kThreads),
                  static_cast<unsigned>(Rows(x)));
  AddParts<<<grid, kThreads, 0, on>>>(In(x), Out(y), Columns(x));
  return LastError();
}
