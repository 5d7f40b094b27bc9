// Honest: an output of integers.
#include "operators.h"

extern "C" int run(const DLTensor* x, DLTensor* y, void*) {
  for (int64_t row = 0; row < Rows(x); ++row) {
    const float* in = In(x) + row * Columns(x);
    int64_t best = 0;
    for (int64_t i = 1; i < Columns(x); ++i) {
      if (in[i] > in[best]) best = i;
    }
    static_cast<int64_t*>(y->data)[row] = best;
  }
  return 0;
}
