// Honest: a kernel of less than 2 us.
#include "operators.cuh"

extern "C" int run(const DLTensor* x, DLTensor* y, void* stream) {
  Double(x, y, stream);
  return LastError();
}
