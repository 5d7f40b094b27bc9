// Times calls on a GPU by CUPTI's records of what the GPU did.

#ifndef ASSAY_WORKER_RUNNER_CUPTI_CALL_TIMER_H_
#define ASSAY_WORKER_RUNNER_CUPTI_CALL_TIMER_H_

#include <cuda.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "worker/cuda/context.h"
#include "worker/cuda/cupti.h"
#include "worker/runner/call_timer.h"
#include "worker/runner/device_flusher.h"

namespace assay {

// A call's time is from the start of the first kernel, copy or memset that it
// started to the end of the last, on all streams: no launch latency before, no
// synchronization behind. The flush before the call, and a memset of a few
// bytes after it, mark the call on the GPU's clock (call_spans.h).
class CuptiCallTimer final : public CallTimer {
 public:
  // `cupti` records this process. Both outlive the timer.
  static absl::StatusOr<std::unique_ptr<CallTimer>> Create(
      const CudaContext& context, Cupti& cupti);
  ~CuptiCallTimer() override;

  MaybeFailed Settle(bool copies_follow) override;
  MaybeFailed Begin() override;
  MaybeFailed Prepare(int64_t flush_bytes) override;
  void Start() override;
  MaybeFailed Stop() override;
  MaybeFailed Finish(std::vector<CallTime>& times) override;

 private:
  CuptiCallTimer(const CudaContext& context, Cupti& cupti);

  // Waits until the GPU is idle and forgets what was recorded.
  MaybeFailed Forget();
  // Waits until what was queued on the stream of markers is done.
  CUresult AwaitMarker();

  const CudaContext& context_;
  const CudaDriver& cuda_;
  Cupti& cupti_;
  DeviceFlusher flusher_;
  CUstream markers_ = nullptr;
  CuptiStream marker_ids_;
  // Whether markers may have been recorded that nobody collected.
  bool has_records_ = false;
  bool copies_follow_ = false;
  int64_t start_ns_ = 0;
  std::vector<int64_t> host_ns_;
};

}  // namespace assay

#endif  // ASSAY_WORKER_RUNNER_CUPTI_CALL_TIMER_H_
