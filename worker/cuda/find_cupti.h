// Finds CUPTI, which comes with CUDA toolkits and with torch.

#ifndef ASSAY_WORKER_CUDA_FIND_CUPTI_H_
#define ASSAY_WORKER_CUDA_FIND_CUPTI_H_

#include <string>
#include <vector>

namespace assay {

// Path of the library in the first of the folders that has it, without symbolic
// links: libcupti.so, or else the highest libcupti.so.N. Empty when none has.
std::string FindCupti(const std::vector<std::string>& folders);

}  // namespace assay

#endif  // ASSAY_WORKER_CUDA_FIND_CUPTI_H_
