// A daemon that survives by forking twice in a session of its own, and keeps a
// processor busy: it ends with the process, and is seen while it lives.
#include <sys/wait.h>
#include <unistd.h>

#include "operators.h"

extern "C" int run(const DLTensor* x, DLTensor* y, void*) {
  static bool started = false;
  if (!started) {
    started = true;
    const pid_t pid = fork();
    if (pid < 0) return 9;
    if (pid == 0) {
      setsid();
      if (fork() != 0) _exit(0);
      for (volatile int turn = 0;;) turn = 0;
    }
    waitpid(pid, nullptr, 0);
  }
  LogSoftmax(x, y);
  return 0;
}
