// Honest: what attacks on double are compared with.
#include "operators.cuh"

extern "C" int run(const DLTensor* x, DLTensor* y, void* stream) {
  Double(x, y, stream);
  return LastError();
}
