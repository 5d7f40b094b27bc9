// Answers with a copy of the input: it is not near the answer.
#include "operators.cuh"

extern "C" int run(const DLTensor* x, DLTensor* y, void* stream) {
  cudaMemcpyAsync(y->data, x->data, Bytes(x), cudaMemcpyDeviceToDevice,
                  static_cast<cudaStream_t>(stream));
  return LastError();
}
