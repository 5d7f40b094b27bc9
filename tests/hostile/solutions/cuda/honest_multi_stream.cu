// Honest: two streams, which the given one waits for.
#include "operators.cuh"

extern "C" int run(const DLTensor* x, DLTensor* y, void* stream) {
  static cudaStream_t side = nullptr;
  static cudaEvent_t fork = nullptr, join = nullptr;
  if (side == nullptr) {
    cudaStreamCreateWithFlags(&side, cudaStreamNonBlocking);
    cudaEventCreateWithFlags(&fork, cudaEventDisableTiming);
    cudaEventCreateWithFlags(&join, cudaEventDisableTiming);
  }
  const auto on = static_cast<cudaStream_t>(stream);
  const int64_t half = Rows(x) / 2, start = half * Columns(x);
  cudaEventRecord(fork, on);
  cudaStreamWaitEvent(side, fork, 0);
  LaunchLogSoftmax(In(x), Out(y), half, Columns(x), on);
  LaunchLogSoftmax(In(x) + start, Out(y) + start, Rows(x) - half, Columns(x),
                   side);
  cudaEventRecord(join, side);
  cudaStreamWaitEvent(on, join, 0);
  return LastError();
}
