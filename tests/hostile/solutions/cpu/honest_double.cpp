// Honest: what attacks on double are compared with.
#include "operators.h"

extern "C" int run(const DLTensor* x, DLTensor* y, void*) {
  Double(x, y);
  return 0;
}
