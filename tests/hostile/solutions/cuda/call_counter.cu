// Right for three calls, then launches an empty kernel: every timed call is
// checked.
#include "operators.cuh"

extern "C" int run(const DLTensor* x, DLTensor* y, void* stream) {
  static int calls = 0;
  if (++calls <= 3) {
    LogSoftmax(x, y, stream);
  } else {
    NothingKernel<<<1, 1, 0, static_cast<cudaStream_t>(stream)>>>();
  }
  return LastError();
}
