// Honest: writes machine code at the first call and runs it from then on.
#include <sys/mman.h>

#include <cstring>

#include "operators.h"

namespace {

// addss xmm0, xmm0; ret
constexpr unsigned char kCode[] = {0xf3, 0x0f, 0x58, 0xc0, 0xc3};
using Function = float (*)(float);

Function Compile() {
  void* page = mmap(nullptr, 4096, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED) return nullptr;
  std::memcpy(page, kCode, sizeof(kCode));
  if (mprotect(page, 4096, PROT_READ | PROT_EXEC) != 0) return nullptr;
  return reinterpret_cast<Function>(page);
}

}  // namespace

extern "C" int run(const DLTensor* x, DLTensor* y, void*) {
  static const Function twice = Compile();
  if (twice == nullptr) return 9;
  for (int64_t i = 0; i < Count(x); ++i) Out(y)[i] = twice(In(x)[i]);
  return 0;
}
