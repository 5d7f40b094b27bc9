// Honest: a first call that takes 300 ms longer than the others.
#include <unistd.h>

#include "operators.h"

extern "C" int run(const DLTensor* x, DLTensor* y, void*) {
  static const int waited = usleep(300000);
  LogSoftmax(x, y);
  return waited;
}
