#include "worker/runner/device_failure.h"

#include "absl/strings/str_cat.h"

namespace assay {

MaybeFailed FailedOnDevice(const CudaDriver& cuda, CUresult result) {
  if (result == CUDA_SUCCESS) return std::nullopt;
  return MakeFailed(
      worker::Failed::RAISED,
      absl::StrCat("the call failed on the device: ", cuda.Describe(result)));
}

}  // namespace assay
