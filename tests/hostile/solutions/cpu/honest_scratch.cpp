// Honest: uses its output as scratch, and reads back what it wrote.
#include "operators.h"

extern "C" int run(const DLTensor* x, DLTensor* y, void*) {
  for (int64_t i = 0; i < Count(x); ++i) Out(y)[i] = -In(x)[i];
  for (int64_t i = 0; i < Count(x); ++i) Out(y)[i] *= -4;
  for (int64_t i = 0; i < Count(x); ++i) Out(y)[i] /= 2;
  return 0;
}
