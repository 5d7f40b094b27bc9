// Answers zeros: outputs are far from zero.
#include <cstring>

#include "operators.h"

extern "C" int run(const DLTensor* x, DLTensor* y, void*) {
  std::memset(y->data, 0, static_cast<size_t>(Count(x)) * sizeof(float));
  return 0;
}
