// Honest: OpenMP.
#include "operators.h"

extern "C" int run(const DLTensor* x, DLTensor* y, void*) {
#pragma omp parallel for schedule(dynamic) num_threads(2)
  for (int64_t row = 0; row < Rows(x); ++row) {
    LogSoftmaxRows(In(x) + row * Columns(x), Out(y) + row * Columns(x), 1,
                   Columns(x));
  }
  return 0;
}
