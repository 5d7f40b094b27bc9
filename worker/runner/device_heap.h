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

namespace assay {

// Keeps what is given back for the next call: asking the driver takes longer
// than many kernels, and giving back to it waits for all of them. Memory that
// is given back may still be used by work queued before; work queued later, on
// the same stream, may have it.
//
// Thread-safe.
class DeviceHeap {
 public:
  static DeviceHeap& OfProcess();

  // At least `bytes` of the GPU whose context is current.
  absl::StatusOr<void*> Allocate(size_t bytes);
  // `bytes` as given to Allocate.
  void Free(void* memory, size_t bytes);

 private:
  DeviceHeap() = default;

  absl::Mutex mutex_;
  // By size.
  std::map<size_t, std::vector<CUdeviceptr>> free_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace assay

#endif  // ASSAY_WORKER_RUNNER_DEVICE_HEAP_H_
