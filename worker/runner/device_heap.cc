#include "worker/runner/device_heap.h"

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "worker/cuda/device_pointer.h"

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
  ASSAY_ASSIGN_OR_RETURN(const CudaDriver* cuda, load_driver_());
  CUdeviceptr memory = 0;
  CUresult result = cuda->cuMemAlloc(&memory, bytes);
  if (result == CUDA_ERROR_OUT_OF_MEMORY) {
    Release();
    result = cuda->cuMemAlloc(&memory, bytes);
  }
  ASSAY_RETURN_IF_ERROR(cuda->Check(
      result, absl::StrCat("taking ", bytes, " bytes of the GPU's memory")));
  return ToPointer(memory);
}

void DeviceHeap::Free(void* memory, size_t bytes) {
  absl::MutexLock lock(&mutex_);
  free_[bytes].push_back(reinterpret_cast<CUdeviceptr>(memory));
}

void DeviceHeap::Release() {
  std::map<size_t, std::vector<CUdeviceptr>> kept;
  {
    absl::MutexLock lock(&mutex_);
    kept.swap(free_);
  }
  // Without memory of a GPU there may be no driver.
  if (kept.empty()) return;
  const absl::StatusOr<const CudaDriver*> cuda = load_driver_();
  if (!cuda.ok()) return;
  // Work queued before may still use it. What fails is told by the next call.
  (*cuda)->cuCtxSynchronize();
  for (const auto& [bytes, blocks] : kept) {
    for (const CUdeviceptr block : blocks) (*cuda)->cuMemFree(block);
  }
}

}  // namespace assay
