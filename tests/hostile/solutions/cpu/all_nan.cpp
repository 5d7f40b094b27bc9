// Answers NaN, which compares false with everything: classes of values have to
// match.
#include <cmath>

#include "operators.h"

extern "C" int run(const DLTensor* x, DLTensor* y, void*) {
  for (int64_t i = 0; i < Count(x); ++i) Out(y)[i] = NAN;
  return 0;
}
