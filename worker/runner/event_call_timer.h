// Times calls on a GPU with CUDA events, where CUPTI cannot be had.

#ifndef ASSAY_WORKER_RUNNER_EVENT_CALL_TIMER_H_
#define ASSAY_WORKER_RUNNER_EVENT_CALL_TIMER_H_

#include <cuda.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "worker/cuda/context.h"
#include "worker/runner/call_timer.h"
#include "worker/runner/device_flusher.h"

namespace assay {

// A call's time is from the end of the flush before it to the end of the work
// of all streams. The flush is still going on while the call is made: that
// hides how long a launch takes, up to the length of the flush, and is part of
// host_ns. A driver for CUDA 12.5 or later keeps every stream from running
// ahead of the flush; an older one makes the timer wait for it, and for the end
// of the call, so that launch latency is in the times.
class EventCallTimer final : public CallTimer {
 public:
  // The context outlives the timer.
  static absl::StatusOr<std::unique_ptr<CallTimer>> Create(
      const CudaContext& context);
  ~EventCallTimer() override;

  MaybeFailed Begin() override;
  MaybeFailed Prepare(int64_t flush_bytes) override;
  void Start() override;
  MaybeFailed Stop() override;
  MaybeFailed Finish(std::vector<CallTime>& times) override;

 private:
  explicit EventCallTimer(const CudaContext& context);

  // Both queue an event that has all streams before it or behind it.
  CUresult RecordStart();
  CUresult RecordEnd();

  const CudaContext& context_;
  const CudaDriver& cuda_;
  DeviceFlusher flusher_;
  CUevent start_ = nullptr;
  CUevent end_ = nullptr;
  int64_t start_ns_ = 0;
  std::vector<CallTime> times_;
};

}  // namespace assay

#endif  // ASSAY_WORKER_RUNNER_EVENT_CALL_TIMER_H_
