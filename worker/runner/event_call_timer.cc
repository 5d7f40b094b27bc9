#include "worker/runner/event_call_timer.h"

#include <algorithm>
#include <utility>

#include "base/status_macros.h"
#include "worker/runner/device_failure.h"

namespace assay {

EventCallTimer::EventCallTimer(const CudaContext& context)
    : context_(context), cuda_(context.driver()), flusher_(context) {}

absl::StatusOr<std::unique_ptr<CallTimer>> EventCallTimer::Create(
    const CudaContext& context) {
  std::unique_ptr<EventCallTimer> timer(new EventCallTimer(context));
  const CudaDriver& cuda = context.driver();
  ASSAY_RETURN_IF_ERROR(cuda.Check(
      cuda.cuEventCreate(&timer->start_, CU_EVENT_DEFAULT), "making an event"));
  ASSAY_RETURN_IF_ERROR(cuda.Check(
      cuda.cuEventCreate(&timer->end_, CU_EVENT_DEFAULT), "making an event"));
  return timer;
}

EventCallTimer::~EventCallTimer() {
  if (start_ != nullptr) cuda_.cuEventDestroy(start_);
  if (end_ != nullptr) cuda_.cuEventDestroy(end_);
}

MaybeFailed EventCallTimer::Begin() {
  times_.clear();
  return InternalUnlessOk(context_.MakeCurrent());
}

CUresult EventCallTimer::RecordStart() {
  const CUresult recorded = cuda_.cuEventRecord(start_, CU_STREAM_LEGACY);
  if (recorded != CUDA_SUCCESS) return recorded;
  if (cuda_.cuCtxWaitEvent == nullptr) return cuda_.cuCtxSynchronize();
  return cuda_.cuCtxWaitEvent(context_.handle(), start_);
}

CUresult EventCallTimer::RecordEnd() {
  if (cuda_.cuCtxRecordEvent != nullptr) {
    return cuda_.cuCtxRecordEvent(context_.handle(), end_);
  }
  const CUresult idle = cuda_.cuCtxSynchronize();
  if (idle != CUDA_SUCCESS) return idle;
  return cuda_.cuEventRecord(end_, CU_STREAM_LEGACY);
}

MaybeFailed EventCallTimer::Prepare(int64_t flush_bytes) {
  if (MaybeFailed failed = flusher_.Flush(flush_bytes, CU_STREAM_LEGACY)) {
    return failed;
  }
  return FailedBeforeCall(cuda_, RecordStart());
}

void EventCallTimer::Start() { start_ns_ = MonotonicNs(); }

MaybeFailed EventCallTimer::Stop() {
  const CUresult recorded = RecordEnd();
  // Says more than that the event could not be recorded.
  const CUresult idle = cuda_.cuCtxSynchronize();
  const int64_t host_ns = MonotonicNs() - start_ns_;
  if (MaybeFailed failed = FailedOnDevice(cuda_, idle)) return failed;
  if (MaybeFailed failed = FailedOnDevice(cuda_, recorded)) return failed;
  float elapsed_ms = 0;
  if (MaybeFailed failed = FailedOnDevice(
          cuda_, cuda_.cuEventElapsedTime(&elapsed_ms, start_, end_))) {
    return failed;
  }
  constexpr double kNsPerMs = 1e6;
  const auto call_ns = static_cast<int64_t>(elapsed_ms * kNsPerMs);
  times_.push_back({std::max<int64_t>(0, call_ns), host_ns});
  return std::nullopt;
}

MaybeFailed EventCallTimer::Finish(std::vector<CallTime>& times) {
  times = std::exchange(times_, {});
  // Copies of what was returned.
  return FailedOnDevice(cuda_, cuda_.cuCtxSynchronize());
}

}  // namespace assay
