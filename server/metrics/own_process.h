// What the operating system says of this process.

#ifndef ASSAY_SERVER_METRICS_OWN_PROCESS_H_
#define ASSAY_SERVER_METRICS_OWN_PROCESS_H_

#include <cstdint>

namespace assay {

struct OwnProcess {
  // User and system, of all threads.
  double cpu_seconds = 0;
  int64_t resident_bytes = 0;
  int64_t threads = 0;
  int64_t open_fds = 0;
  int64_t max_fds = 0;
};

// Reads it from /proc; what cannot be read is 0.
OwnProcess ReadOwnProcess();

}  // namespace assay

#endif  // ASSAY_SERVER_METRICS_OWN_PROCESS_H_
