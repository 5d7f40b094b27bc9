// Honest: two outputs.
#include "operators.h"

extern "C" int run(const DLTensor* x, DLTensor* y, DLTensor* z, void*) {
  Double(x, y);
  for (int64_t i = 0; i < Count(x); ++i) Out(z)[i] = In(x)[i] + 10;
  return 0;
}
