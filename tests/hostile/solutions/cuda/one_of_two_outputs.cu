// Writes the first of two outputs: both are compared.
#include "operators.cuh"

extern "C" int run(const DLTensor* x, DLTensor* y, DLTensor* z, void* stream) {
  Double(x, y, stream);
  return z == nullptr ? 9 : LastError();
}
