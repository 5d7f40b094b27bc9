// Sleeps before it works, as if the host's time did not count: on a CPU it is
// the time that counts.
#include <unistd.h>

#include "operators.h"

extern "C" int run(const DLTensor* x, DLTensor* y, void*) {
  usleep(3000);
  LogSoftmax(x, y);
  return 0;
}
