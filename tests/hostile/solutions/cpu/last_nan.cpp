// A single NaN in the last place: classes of values have to match.
#include <cmath>

#include "operators.h"

extern "C" int run(const DLTensor* x, DLTensor* y, void*) {
  Double(x, y);
  Out(y)[Count(x) - 1] = NAN;
  return 0;
}
