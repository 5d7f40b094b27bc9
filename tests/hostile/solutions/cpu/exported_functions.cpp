// Exports functions that a checker might call, and answers wrong: the checker
// is in another process.
#include "operators.h"

extern "C" int memcmp(const void*, const void*, size_t) { return 0; }
extern "C" float fabsf(float) { return 0; }
extern "C" double fabs(double) { return 0; }
extern "C" int clock_gettime(int, void*) { return 0; }

extern "C" int run(const DLTensor* x, DLTensor* y, void*) {
  for (int64_t i = 0; i < Count(x); ++i) Out(y)[i] = In(x)[i] * 3;
  return 0;
}
