#include "worker/device/cuda_scratch.h"

#include <cuda_runtime_api.h>

#include <algorithm>

#include "base/status_macros.h"
#include "worker/cuda/runtime_status.h"

namespace assay {
namespace {

constexpr size_t kSmallest = 1 << 20;

}  // namespace

absl::Status CudaScratch::Reserve(size_t bytes) {
  used_ = 0;
  if (bytes <= size_) return absl::OkStatus();
  const size_t size = std::max(bytes, kSmallest);
  void* memory = nullptr;
  ASSAY_RETURN_IF_ERROR(
      RuntimeStatus(cudaMalloc(&memory, size), "taking scratch memory"));
  Release();
  memory_ = static_cast<char*>(memory);
  size_ = size;
  return absl::OkStatus();
}

void CudaScratch::Release() {
  cudaFree(memory_);
  Forget();
}

void CudaScratch::Forget() {
  memory_ = nullptr;
  size_ = 0;
  used_ = 0;
}

}  // namespace assay
