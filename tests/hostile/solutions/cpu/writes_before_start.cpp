// Writes one element before its output: guard bands are verified.
#include "operators.h"

extern "C" int run(const DLTensor* x, DLTensor* y, void*) {
  Double(x, y);
  Out(y)[-1] = 1;
  return 0;
}
