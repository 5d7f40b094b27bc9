// Hands out memory that it freed after an earlier answer: the answer is
// another one by now.
#include <cstdlib>
#include <cstring>

#include "operators.h"

extern "C" int run(const DLTensor* x, DLTensor* y, void*) {
  static int calls = 0;
  const size_t bytes = static_cast<size_t>(Count(x)) * sizeof(float);
  auto* heap = static_cast<float*>(std::malloc(bytes));
  if (calls++ == 0) LogSoftmaxRows(In(x), heap, Rows(x), Columns(x));
  std::memcpy(y->data, heap, bytes);
  std::free(heap);
  return 0;
}
