// Infinity where the answer is large: classes of values have to match.
#include <cmath>

#include "operators.h"

extern "C" int run(const DLTensor* x, DLTensor* y, void*) {
  Double(x, y);
  for (int64_t i = 0; i < Count(x); ++i) {
    if (Out(y)[i] > 6) Out(y)[i] = INFINITY;
  }
  return 0;
}
