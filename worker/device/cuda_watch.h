// Watches a GPU by asking it, without a pause, to do next to nothing. Contexts
// of different processes take turns on a GPU: an answer that is late tells for
// how long another one had it, whatever that one says of itself.

#ifndef ASSAY_WORKER_DEVICE_CUDA_WATCH_H_
#define ASSAY_WORKER_DEVICE_CUDA_WATCH_H_

#include <cuda_runtime_api.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "worker/cuda/context.h"
#include "worker/device/device_watch.h"

namespace assay {

class CudaWatch final : public DeviceWatch {
 public:
  // Writes to `word`, on the GPU, through `stream`. All outlive it.
  // RESOURCE_EXHAUSTED when no thread can be had for it.
  static absl::StatusOr<std::unique_ptr<CudaWatch>> Start(
      const CudaContext& context, cudaStream_t stream, uint32_t* word);
  ~CudaWatch() override;

  absl::StatusOr<std::vector<absl::Duration>> Finish() override;

 private:
  CudaWatch(const CudaContext& context, cudaStream_t stream, uint32_t* word)
      : context_(context), stream_(stream), word_(word) {}

  // What the thread does.
  absl::Status Watch();
  // How long the GPU takes to answer.
  absl::StatusOr<absl::Duration> Ask();

  const CudaContext& context_;
  const cudaStream_t stream_;
  uint32_t* const word_;
  std::atomic<bool> is_over_ = false;
  // The thread's, until it has ended.
  absl::Status status_;
  std::vector<absl::Duration> turns_;
  std::thread thread_;
};

}  // namespace assay

#endif  // ASSAY_WORKER_DEVICE_CUDA_WATCH_H_
