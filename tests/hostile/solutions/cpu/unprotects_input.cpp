// Makes its input writable and zeroes it: the kernel refuses, because the
// memory was given for reading. Passes only when it could.
#include <sys/mman.h>

#include <cstdint>
#include <cstring>

#include "operators.h"

extern "C" int run(const DLTensor* x, DLTensor* y, void*) {
  Double(x, y);
  void* page = reinterpret_cast<void*>(reinterpret_cast<uintptr_t>(x->data) &
                                       ~uintptr_t{4095});
  if (mprotect(page, 4096, PROT_READ | PROT_WRITE) != 0) return 9;
  std::memset(x->data, 0, 64);
  return 0;
}
