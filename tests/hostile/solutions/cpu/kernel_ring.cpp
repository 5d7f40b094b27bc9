// Asks the kernel for a ring whose work its threads do, whether the process
// runs or not. Passes only when it was given one.
#include <linux/io_uring.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "operators.h"

extern "C" int run(const DLTensor* x, DLTensor* y, void*) {
  io_uring_params parameters = {};
  const long ring = syscall(SYS_io_uring_setup, 8, &parameters);
  Double(x, y);
  return ring >= 0 ? 0 : 9;
}
