// A forked child stays, with what it has of the context: no process but the
// runner may be left.
#include <unistd.h>

#include "operators.cuh"

extern "C" int run(const DLTensor* x, DLTensor* y, void* stream) {
  static bool forked = false;
  if (!forked) {
    forked = true;
    const pid_t pid = fork();
    if (pid < 0) return 9;
    while (pid == 0) {
      float first = 0;
      cudaMemcpy(&first, x->data, sizeof(first), cudaMemcpyDeviceToHost);
    }
  }
  LogSoftmax(x, y, stream);
  return LastError();
}
