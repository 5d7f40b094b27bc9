// Honest: 4 MB on the stack.
#include <cstring>

#include "operators.h"

extern "C" int run(const DLTensor* x, DLTensor* y, void*) {
  float scratch[1 << 20];
  const size_t bytes = static_cast<size_t>(Count(x)) * sizeof(float);
  LogSoftmaxRows(In(x), scratch, Rows(x), Columns(x));
  std::memcpy(y->data, scratch, bytes);
  return 0;
}
