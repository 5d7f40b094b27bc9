// Memory of a GPU for tensors that a solution makes while it is called.

#ifndef ASSAY_WORKER_RUNNER_DEVICE_HEAP_H_
#define ASSAY_WORKER_RUNNER_DEVICE_HEAP_H_

#include <cuda.h>

#include <cstddef>
#include <map>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "worker/cuda/driver.h"

namespace assay {

// Keeps what is given back for the next call: asking the driver takes longer
// than many kernels, and giving back to it waits for all of them. Memory that
// is given back may still be used by work queued before; work queued later, on
// the same stream, may have it.
//
// Thread-safe. Never gives back by itself when it is destroyed: CUDA may be
// gone before.
class DeviceHeap {
 public:
  using LoadDriver = absl::StatusOr<const CudaDriver*> (*)();

  explicit DeviceHeap(LoadDriver load_driver = &CudaDriver::Load)
      : load_driver_(load_driver) {}

  static DeviceHeap& OfProcess();

  // At least `bytes` of the GPU whose context is current. When the GPU has no
  // more, what is kept here goes back to it first.
  absl::StatusOr<void*> Allocate(size_t bytes);
  // `bytes` as given to Allocate.
  void Free(void* memory, size_t bytes);

  // Gives the GPU, whose context is current, what is kept for later.
  void Release();

 private:
  const LoadDriver load_driver_;
  absl::Mutex mutex_;
  // By size.
  std::map<size_t, std::vector<CUdeviceptr>> free_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace assay

#endif  // ASSAY_WORKER_RUNNER_DEVICE_HEAP_H_
