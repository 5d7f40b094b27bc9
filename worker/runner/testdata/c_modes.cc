// A solution with binding `c` that behaves as its scalar says:
// (x: float32[n], mode: int64) -> y: float32[n].

#include <dlpack/dlpack.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>

#include "worker/runner/c_entry.h"

namespace {

enum Mode : int64_t {
  kDouble,
  kReturnSeven,
  kThrow,
  kSegfault,
  kLoop,
  kExitZero,
  kAbort,
  kPrintMegabyte,
  kCloseControl,
  kWriteGarbage,
  kWriteInput,
  kPrintWithoutNewline,
  kCountInBackground,
  kLeaveChild,
  kLeaveOrphan,
  kLeaveNothing,
  kAnswerFromChild,
  kWakeItself,
  kLookIntoRunner,
  kCannotBeStopped,
  kWakeToSpin,
};

void Double(const DLTensor& x, const DLTensor& y) {
  const auto* from = static_cast<const float*>(x.data);
  auto* to = static_cast<float*>(y.data);
  for (int64_t i = 0; i < x.shape[0]; ++i) to[i] = 2 * from[i];
}

void PrintMegabyte() {
  const std::string line(1023, 'x');
  for (int i = 0; i < 1024; ++i) std::puts(line.c_str());
}

// Has a thread count in the last output, and waits until it has counted.
void CountInBackground(const DLTensor& y) {
  static std::atomic<int64_t> count = 0;
  static std::thread* counter = nullptr;
  volatile float* last = static_cast<float*>(y.data) + y.shape[0] - 1;
  if (counter == nullptr) {
    counter = new std::thread([last] {
      // Up to what a float tells apart.
      while (true) *last = static_cast<float>(++count % 1000000);
    });
  }
  const int64_t before = count;
  while (count == before) usleep(100);
}

pid_t ForkSleeper() {
  const pid_t pid = fork();
  if (pid != 0) return pid;
  setsid();
  while (true) pause();
}

void LeaveOrphan() {
  const pid_t parent = fork();
  if (parent == 0) {
    ForkSleeper();
    _exit(0);
  }
  waitpid(parent, nullptr, 0);
}

// A child that ended and was not waited for.
void LeaveNothing() {
  const pid_t child = fork();
  if (child == 0) _exit(0);
  siginfo_t info;
  waitid(P_PID, child, &info, WEXITED | WNOWAIT);
}

// Has the kernel send the signal that wakes a stopped process.
// `spins`: a thread is busy then.
int WakeItself(bool spins) {
  static bool is_set = false;
  static timer_t timer;
  if (!is_set) {
    is_set = true;
    // The kernel stops timers whose signals are ignored.
    signal(SIGCONT, [](int) {});
    sigevent event = {};
    event.sigev_notify = SIGEV_SIGNAL;
    event.sigev_signo = SIGCONT;
    if (timer_create(CLOCK_MONOTONIC, &event, &timer) != 0) return 1;
    std::thread([spins] {
      while (true) {
        if (!spins) usleep(1000);
      }
    }).detach();
  }
  // Again, because a signal that comes when it is stopped is lost, and the
  // timer with it.
  const itimerspec often = {{0, 5000000}, {0, 5000000}};
  return timer_settime(timer, 0, &often, nullptr);
}

// What a process that it starts can open of the runner and of the first
// process: a bit for each.
int LookIntoRunner() {
  const pid_t child = fork();
  if (child == 0) {
    int seen = 0;
    for (const pid_t pid : {pid_t{1}, getppid()}) {
      const std::string process = "/proc/" + std::to_string(pid);
      for (const char* file : {"/mem", "/environ", "/fd/0"}) {
        const bool can = open((process + file).c_str(), O_RDONLY) >= 0;
        seen = 2 * seen + (can ? 1 : 0);
      }
    }
    _exit(seen);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WEXITSTATUS(status);
}

// A thread that waits for a child as after vfork: no signal stops it.
void WaitWhereNoSignalReaches() {
  static char stack[1 << 16];
  static std::atomic<bool> begun = false;
  std::thread([] {
    clone(
        [](void*) {
          begun = true;
          while (true) pause();
          return 0;
        },
        stack + sizeof(stack), CLONE_VM | CLONE_VFORK | SIGCHLD, nullptr);
  }).detach();
  while (!begun) usleep(100);
}

}  // namespace

extern "C" __attribute__((visibility("default"))) int assay_c_entry(
    const void* const* args, void* stream, char* error, size_t error_bytes) {
  const auto& x = *static_cast<const DLTensor*>(args[0]);
  const int64_t mode = *static_cast<const int64_t*>(args[1]);
  const auto& y = *static_cast<const DLTensor*>(args[2]);
  volatile int* nowhere = nullptr;
  switch (mode) {
    case kReturnSeven:
      return 7;
    case kThrow:
      std::snprintf(error, error_bytes, "out of \xff luck");
      return assay::kCEntryThrew;
    case kSegfault:
      *nowhere = 1;
      break;
    case kLoop:
      for (volatile int64_t i = 0;; i = i + 1) {
      }
    case kExitZero:
      _exit(0);
    case kAbort:
      std::abort();
    case kPrintMegabyte:
      PrintMegabyte();
      break;
    case kCloseControl:
      close(3);
      for (;;) pause();
    case kWriteGarbage:
      if (write(3, "\xff garbage", 9) != 9) return 1;
      break;
    case kWriteInput:
      static_cast<float*>(x.data)[0] = 1;
      break;
    case kPrintWithoutNewline:
      std::printf("no newline");
      break;
    case kCountInBackground:
      CountInBackground(y);
      return 0;
    case kLeaveChild:
      ForkSleeper();
      break;
    case kLeaveOrphan:
      LeaveOrphan();
      break;
    case kLeaveNothing:
      LeaveNothing();
      break;
    case kAnswerFromChild:
      // The child goes on as the runner.
      if (fork() != 0) {
        while (true) pause();
      }
      break;
    case kWakeItself:
      if (WakeItself(/*spins=*/false) != 0) return 1;
      break;
    case kWakeToSpin:
      if (WakeItself(/*spins=*/true) != 0) return 1;
      break;
    case kLookIntoRunner:
      if (const int seen = LookIntoRunner(); seen != 0) return seen;
      break;
    case kCannotBeStopped:
      WaitWhereNoSignalReaches();
      break;
    default:
      break;
  }
  Double(x, y);
  return 0;
}
