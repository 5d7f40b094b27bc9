// Honest, if odd: a child does half of the work and is waited for.
#include <sys/wait.h>
#include <unistd.h>

#include "operators.h"

extern "C" int run(const DLTensor* x, DLTensor* y, void*) {
  const int64_t half = Rows(x) / 2;
  const pid_t pid = fork();
  if (pid < 0) return 9;
  if (pid == 0) {
    LogSoftmaxRows(In(x), Out(y), half, Columns(x));
    _exit(0);
  }
  const int64_t begin = half * Columns(x);
  LogSoftmaxRows(In(x) + begin, Out(y) + begin, Rows(x) - half, Columns(x));
  int status = 0;
  return waitpid(pid, &status, 0) == pid ? status : 9;
}
