// Who else uses the GPU.

#ifndef ASSAY_WORKER_DEVICE_GPU_OCCUPANTS_H_
#define ASSAY_WORKER_DEVICE_GPU_OCCUPANTS_H_

#include <string>
#include <vector>

namespace assay {

// Those of `pids` that neither are `ancestor` nor descend from it, each as
// "python3 (4711)". A process that has ended is left out.
//
//   proc    folder of the proc file system, "/proc" but for tests
std::vector<std::string> Strangers(const std::vector<int>& pids, int ancestor,
                                   const std::string& proc);

}  // namespace assay

#endif  // ASSAY_WORKER_DEVICE_GPU_OCCUPANTS_H_
