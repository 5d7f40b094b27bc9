// Answers with a copy of the input: it is not near the answer.
#include <cstring>

#include "operators.h"

extern "C" int run(const DLTensor* x, DLTensor* y, void*) {
  std::memcpy(y->data, x->data, static_cast<size_t>(Count(x)) * sizeof(float));
  return 0;
}
