// Makes the caches of a GPU cold.

#ifndef ASSAY_WORKER_RUNNER_DEVICE_FLUSHER_H_
#define ASSAY_WORKER_RUNNER_DEVICE_FLUSHER_H_

#include <cuda.h>

#include <cstdint>

#include "worker/cuda/context.h"
#include "worker/runner/failure.h"

namespace assay {

// Thread-compatible. The context outlives it.
class DeviceFlusher {
 public:
  explicit DeviceFlusher(const CudaContext& context) : context_(context) {}
  ~DeviceFlusher();
  DeviceFlusher(const DeviceFlusher&) = delete;
  DeviceFlusher& operator=(const DeviceFlusher&) = delete;

  // Waits until the GPU is idle, lets go of lines that are kept in L2, and
  // queues one memset, of at least `bytes` and never of nothing.
  MaybeFailed Flush(int64_t bytes, CUstream stream);

  // Queues one memset of a few bytes.
  MaybeFailed Touch(CUstream stream);

 private:
  MaybeFailed Reserve(int64_t bytes);

  const CudaContext& context_;
  CUdeviceptr memory_ = 0;
  int64_t bytes_ = 0;
  // Differs each time, so that no write is of the value already there.
  unsigned pattern_ = 0;
};

}  // namespace assay

#endif  // ASSAY_WORKER_RUNNER_DEVICE_FLUSHER_H_
