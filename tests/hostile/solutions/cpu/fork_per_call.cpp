// A forked child fills the shared output after the call has returned: it is
// seen alive, or the output is seen unfinished.
#include <unistd.h>

#include "operators.h"

extern "C" int run(const DLTensor* x, DLTensor* y, void*) {
  const pid_t pid = fork();
  if (pid < 0) return 9;
  if (pid == 0) {
    LogSoftmax(x, y);
    _exit(0);
  }
  return 0;
}
