// What a process has used so far, from /proc.

#ifndef ASSAY_TESTS_LOAD_PROCESS_USAGE_H_
#define ASSAY_TESTS_LOAD_PROCESS_USAGE_H_

#include <sys/types.h>

#include <cstdint>

#include "absl/status/statusor.h"
#include "absl/time/time.h"

namespace assay::load {

struct ProcessUsage {
  // Of all threads that run now, to the nanosecond.
  absl::Duration cpu;
  int64_t resident_bytes = 0;
  // Largest so far.
  int64_t peak_resident_bytes = 0;
  int threads = 0;
};

// NOT_FOUND when there is no such process.
absl::StatusOr<ProcessUsage> ReadProcessUsage(pid_t pid);

}  // namespace assay::load

#endif  // ASSAY_TESTS_LOAD_PROCESS_USAGE_H_
