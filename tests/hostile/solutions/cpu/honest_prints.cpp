// Honest: prints much in every call.
#include <cstdio>

#include "operators.h"

extern "C" int run(const DLTensor* x, DLTensor* y, void*) {
  for (int i = 0; i < 1000; ++i) std::printf("step %d of this call\n", i);
  std::fprintf(stderr, "done\n");
  LogSoftmax(x, y);
  return 0;
}
