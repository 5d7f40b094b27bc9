#include "worker/cpu_shares.h"

#include <sched.h>

#include <cstddef>

namespace assay {
namespace {

constexpr size_t kFewest = 4;
// The thread that makes the calls, and what the driver runs beside it.
constexpr size_t kMeasuring = 2;

}  // namespace

CpuShares ShareCpus(const std::vector<int>& cpus) {
  if (cpus.size() < kFewest) return {};
  const auto border = cpus.end() - kMeasuring;
  return {{border, cpus.end()}, {cpus.begin(), border}};
}

std::vector<int> AllowedCpus() {
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  if (sched_getaffinity(0, sizeof(allowed), &allowed) != 0) return {};
  std::vector<int> cpus;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (CPU_ISSET(cpu, &allowed)) cpus.push_back(cpu);
  }
  return cpus;
}

}  // namespace assay
