#include "worker/runner/device_flusher.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "worker/runner/device_failure.h"

namespace assay {
namespace {

constexpr int64_t kWordBytes = 4;

}  // namespace

DeviceFlusher::~DeviceFlusher() {
  if (memory_ != 0) context_.driver().cuMemFree(memory_);
}

MaybeFailed DeviceFlusher::Reserve(int64_t bytes) {
  if (bytes <= bytes_) return std::nullopt;
  const CudaDriver& cuda = context_.driver();
  if (memory_ != 0) cuda.cuMemFree(memory_);
  memory_ = 0;
  bytes_ = 0;
  const CUresult result = cuda.cuMemAlloc(&memory_, static_cast<size_t>(bytes));
  if (result == CUDA_ERROR_OUT_OF_MEMORY) {
    memory_ = 0;
    return MakeFailed(worker::Failed::RAISED,
                      absl::StrCat("the GPU has no memory left for ", bytes,
                                   " bytes that flush its caches"));
  }
  if (MaybeFailed failed = FailedBeforeCall(cuda, result)) return failed;
  bytes_ = bytes;
  return std::nullopt;
}

MaybeFailed DeviceFlusher::Flush(int64_t bytes, CUstream stream) {
  const int64_t words =
      std::max<int64_t>(1, bytes / kWordBytes + (bytes % kWordBytes > 0));
  if (MaybeFailed failed = Reserve(words * kWordBytes)) return failed;
  const CudaDriver& cuda = context_.driver();
  // Copies of what the last call returned, on whatever stream, would else be at
  // work beside the next call.
  if (MaybeFailed failed = FailedBeforeCall(cuda, cuda.cuCtxSynchronize())) {
    return failed;
  }
  const CUresult reset = cuda.cuCtxResetPersistingL2Cache();
  // GPUs before Ampere keep nothing.
  if (reset != CUDA_ERROR_NOT_SUPPORTED) {
    if (MaybeFailed failed = FailedBeforeCall(cuda, reset)) return failed;
  }
  return FailedBeforeCall(
      cuda, cuda.cuMemsetD32Async(memory_, ++pattern_,
                                  static_cast<size_t>(words), stream));
}

MaybeFailed DeviceFlusher::Touch(CUstream stream) {
  if (MaybeFailed failed = Reserve(kWordBytes)) return failed;
  const CudaDriver& cuda = context_.driver();
  return FailedOnDevice(cuda,
                        cuda.cuMemsetD32Async(memory_, ++pattern_, 1, stream));
}

}  // namespace assay
