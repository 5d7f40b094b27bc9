// Which processors measure, and which do everything else.

#ifndef ASSAY_WORKER_CPU_SHARES_H_
#define ASSAY_WORKER_CPU_SHARES_H_

#include <vector>

namespace assay {

// Both empty: there are too few to share.
struct CpuShares {
  // For the process that makes timed calls, and for nothing else.
  std::vector<int> measuring;
  // For compilers and for processes that get ready.
  std::vector<int> background;
};

// Shares the processors out: the last two of four or more are for measuring.
CpuShares ShareCpus(const std::vector<int>& cpus);

// Those that this process may run on, in ascending order.
std::vector<int> AllowedCpus();

}  // namespace assay

#endif  // ASSAY_WORKER_CPU_SHARES_H_
