// Honest: what attacks on row_sums are compared with.
#include "operators.h"

extern "C" int run(const DLTensor* x, DLTensor* y, void*) {
  RowSums(x, y);
  return 0;
}
