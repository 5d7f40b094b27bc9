// Honest: a call that takes less than 2 us.
#include "operators.h"

extern "C" int run(const DLTensor* x, DLTensor* y, void*) {
  Double(x, y);
  return 0;
}
