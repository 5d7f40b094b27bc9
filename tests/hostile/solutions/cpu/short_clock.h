// A clock that runs at a fraction of its rate, in place of the harness's.

#ifndef ASSAY_TESTS_HOSTILE_SHORT_CLOCK_H_
#define ASSAY_TESTS_HOSTILE_SHORT_CLOCK_H_

#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <cstdint>

#ifndef CLOCK_RATE
#define CLOCK_RATE 0.125
#endif

inline int64_t TrueNanoseconds() {
  timespec now;
  syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &now);
  return now.tv_sec * int64_t{1000000000} + now.tv_nsec;
}

inline int ShortClock(clockid_t, timespec* time) {
  static const int64_t start = TrueNanoseconds();
  const int64_t now =
      start +
      static_cast<int64_t>(static_cast<double>(TrueNanoseconds() - start) *
                           (CLOCK_RATE));
  time->tv_sec = now / 1000000000;
  time->tv_nsec = now % 1000000000;
  return 0;
}

#endif  // ASSAY_TESTS_HOSTILE_SHORT_CLOCK_H_
