#include "worker/runner/device_failure.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace assay {

namespace {

MaybeFailed Failed(absl::string_view what, const CudaDriver& cuda,
                   CUresult result) {
  if (result == CUDA_SUCCESS) return std::nullopt;
  return MakeFailed(worker::Failed::RAISED,
                    absl::StrCat(what, ": ", cuda.Describe(result)));
}

}  // namespace

MaybeFailed FailedOnDevice(const CudaDriver& cuda, CUresult result) {
  return Failed("the call failed on the device", cuda, result);
}

MaybeFailed FailedBeforeCall(const CudaDriver& cuda, CUresult result) {
  return Failed("the device failed before the call", cuda, result);
}

}  // namespace assay
