// Writes one element past its output: guard bands are verified.
#include "operators.h"

extern "C" int run(const DLTensor* x, DLTensor* y, void*) {
  Double(x, y);
  Out(y)[Count(x)] = 1;
  return 0;
}
