// Aborts after half of the answer.
#include <cstdlib>

#include "operators.h"

extern "C" int run(const DLTensor* x, DLTensor* y, void*) {
  LogSoftmaxRows(In(x), Out(y), Rows(x) / 2, Columns(x));
  std::abort();
}
