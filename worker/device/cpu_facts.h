// What this machine's processor is, for registration.

#ifndef ASSAY_WORKER_DEVICE_CPU_FACTS_H_
#define ASSAY_WORKER_DEVICE_CPU_FACTS_H_

#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"

namespace assay {

struct CpuFacts {
  // E.g. "AMD_EPYC_9554_64-Core_Processor"; "unknown_cpu" when not told.
  std::string model;
  // Stable over restarts of the machine; empty when there is none.
  std::string machine_id;
  // E.g. "x86_64".
  std::string architecture;
  // Memory that is free now, bounded by the cgroup's limit.
  int64_t available_bytes = 0;
  // Size of one core's L2 cache.
  int64_t l2_bytes = 0;
};

CpuFacts ReadCpuFacts();

// The model in the text of /proc/cpuinfo, with underscores for spaces and
// without "(R)" and "(TM)"; "unknown_cpu" when it names none.
std::string CpuModelFrom(absl::string_view cpuinfo);

}  // namespace assay

#endif  // ASSAY_WORKER_DEVICE_CPU_FACTS_H_
