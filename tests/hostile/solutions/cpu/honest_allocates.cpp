// Honest: takes memory from the system, and gives it back, in each call.
#include <sys/mman.h>

#include <cstring>
#include <vector>

#include "operators.h"

extern "C" int run(const DLTensor* x, DLTensor* y, void*) {
  const size_t bytes = static_cast<size_t>(Count(x)) * sizeof(float);
  void* pages = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED) return 9;
  std::vector<float> heap(In(x), In(x) + Count(x));
  LogSoftmaxRows(heap.data(), static_cast<float*>(pages), Rows(x), Columns(x));
  std::memcpy(y->data, pages, bytes);
  return munmap(pages, bytes);
}
