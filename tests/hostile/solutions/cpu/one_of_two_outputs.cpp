// Writes the first of two outputs: both are compared.
#include "operators.h"

extern "C" int run(const DLTensor* x, DLTensor* y, DLTensor* z, void*) {
  Double(x, y);
  return z == nullptr;
}
