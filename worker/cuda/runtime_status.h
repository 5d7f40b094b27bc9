// Errors of CUDA's runtime as Status.

#ifndef ASSAY_WORKER_CUDA_RUNTIME_STATUS_H_
#define ASSAY_WORKER_CUDA_RUNTIME_STATUS_H_

#include <cuda_runtime_api.h>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace assay {

// OK, or what `what` failed with: RESOURCE_EXHAUSTED when memory ran out, else
// INTERNAL.
absl::Status RuntimeStatus(cudaError_t result, absl::string_view what);

}  // namespace assay

#endif  // ASSAY_WORKER_CUDA_RUNTIME_STATUS_H_
