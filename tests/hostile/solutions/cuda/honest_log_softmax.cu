// Honest: what attacks on log_softmax are compared with.
#include "operators.cuh"

extern "C" int run(const DLTensor* x, DLTensor* y, void* stream) {
  LogSoftmax(x, y, stream);
  return LastError();
}
