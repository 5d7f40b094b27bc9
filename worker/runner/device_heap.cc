#include "worker/runner/device_heap.h"

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "worker/cuda/device_pointer.h"
#include "worker/cuda/driver.h"

namespace assay {

DeviceHeap& DeviceHeap::OfProcess() {
  static DeviceHeap& heap = *new DeviceHeap();
  return heap;
}

absl::StatusOr<void*> DeviceHeap::Allocate(size_t bytes) {
  {
    absl::MutexLock lock(&mutex_);
    std::vector<CUdeviceptr>& free = free_[bytes];
    if (!free.empty()) {
      const CUdeviceptr memory = free.back();
      free.pop_back();
      return ToPointer(memory);
    }
  }
  ASSAY_ASSIGN_OR_RETURN(const CudaDriver* cuda, CudaDriver::Load());
  CUdeviceptr memory = 0;
  ASSAY_RETURN_IF_ERROR(cuda->Check(
      cuda->cuMemAlloc(&memory, bytes),
      absl::StrCat("taking ", bytes, " bytes of the GPU's memory")));
  return ToPointer(memory);
}

void DeviceHeap::Free(void* memory, size_t bytes) {
  absl::MutexLock lock(&mutex_);
  free_[bytes].push_back(reinterpret_cast<CUdeviceptr>(memory));
}

}  // namespace assay
