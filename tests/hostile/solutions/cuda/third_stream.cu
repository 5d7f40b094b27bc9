// Works on a stream that is joined through a third one, behind the given one's
// back: spans are taken of all streams.
#include "operators.cuh"

extern "C" int run(const DLTensor* x, DLTensor* y, void* stream) {
  static cudaStream_t side = nullptr, third = nullptr;
  static cudaEvent_t event = nullptr;
  if (side == nullptr) {
    cudaStreamCreateWithFlags(&side, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&third, cudaStreamNonBlocking);
    cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
  }
  LogSoftmax(x, y, side);
  cudaEventRecord(event, side);
  cudaStreamWaitEvent(third, event, 0);
  NothingKernel<<<1, 1, 0, third>>>();
  NothingKernel<<<1, 1, 0, static_cast<cudaStream_t>(stream)>>>();
  return LastError();
}
