#include "worker/cuda/runtime_status.h"

#include <string>

#include "absl/strings/str_cat.h"

namespace assay {

absl::Status RuntimeStatus(cudaError_t result, absl::string_view what) {
  if (result == cudaSuccess) return absl::OkStatus();
  // The runtime remembers it, and would tell it again of the next launch.
  cudaGetLastError();
  const std::string message =
      absl::StrCat(what, ": ", cudaGetErrorString(result), " (",
                   cudaGetErrorName(result), ")");
  if (result == cudaErrorMemoryAllocation) {
    return absl::ResourceExhaustedError(message);
  }
  return absl::InternalError(message);
}

}  // namespace assay
