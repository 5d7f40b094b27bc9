#include "worker/runner/cupti_call_timer.h"

#include <utility>

#include "base/status_macros.h"
#include "worker/runner/call_spans.h"
#include "worker/runner/device_failure.h"

namespace assay {

CuptiCallTimer::CuptiCallTimer(const CudaContext& context, Cupti& cupti)
    : context_(context),
      cuda_(context.driver()),
      cupti_(cupti),
      flusher_(context) {}

absl::StatusOr<std::unique_ptr<CallTimer>> CuptiCallTimer::Create(
    const CudaContext& context, Cupti& cupti) {
  std::unique_ptr<CuptiCallTimer> timer(new CuptiCallTimer(context, cupti));
  const CudaDriver& cuda = context.driver();
  // Nothing that a call does waits for this stream, nor it for that.
  ASSAY_RETURN_IF_ERROR(
      cuda.Check(cuda.cuStreamCreate(&timer->markers_, CU_STREAM_NON_BLOCKING),
                 "making a stream"));
  ASSAY_ASSIGN_OR_RETURN(timer->marker_ids_,
                         cupti.Identify(context.handle(), timer->markers_));
  return timer;
}

CuptiCallTimer::~CuptiCallTimer() {
  if (markers_ != nullptr) cuda_.cuStreamDestroy(markers_);
}

MaybeFailed CuptiCallTimer::Settle(bool copies_follow) {
  copies_follow_ = copies_follow;
  if (MaybeFailed failed = InternalUnlessOk(context_.MakeCurrent())) {
    return failed;
  }
  return Forget();
}

MaybeFailed CuptiCallTimer::Begin() {
  host_ns_.clear();
  if (MaybeFailed failed = InternalUnlessOk(context_.MakeCurrent())) {
    return failed;
  }
  // What was recorded since the last batch stays: it belongs to no call, and is
  // reported.
  return has_records_ ? Forget() : std::nullopt;
}

MaybeFailed CuptiCallTimer::Forget() {
  has_records_ = false;
  if (MaybeFailed failed = FailedBeforeCall(cuda_, cuda_.cuCtxSynchronize())) {
    return failed;
  }
  return InternalUnlessOk(cupti_.Collect().status());
}

CUresult CuptiCallTimer::AwaitMarker() {
  has_records_ = true;
  return cuda_.cuStreamSynchronize(markers_);
}

MaybeFailed CuptiCallTimer::Prepare(int64_t flush_bytes) {
  if (MaybeFailed failed = flusher_.Flush(flush_bytes, markers_)) return failed;
  return FailedBeforeCall(cuda_, AwaitMarker());
}

void CuptiCallTimer::Start() { start_ns_ = MonotonicNs(); }

MaybeFailed CuptiCallTimer::Stop() {
  const CUresult idle = cuda_.cuCtxSynchronize();
  host_ns_.push_back(MonotonicNs() - start_ns_);
  if (MaybeFailed failed = FailedOnDevice(cuda_, idle)) return failed;
  if (MaybeFailed failed = flusher_.Touch(markers_)) return failed;
  return FailedOnDevice(cuda_, AwaitMarker());
}

MaybeFailed CuptiCallTimer::Finish(std::vector<CallTime>& times) {
  // CUPTI records what has ended; and copies of what was returned must be done
  // before others look at them.
  if (MaybeFailed failed = FailedOnDevice(cuda_, cuda_.cuCtxSynchronize())) {
    return failed;
  }
  has_records_ = false;
  absl::StatusOr<std::vector<DeviceActivity>> activities = cupti_.Collect();
  if (!activities.ok()) return InternalUnlessOk(activities.status());
  const absl::StatusOr<std::vector<CallSpan>> spans = SpansOfCalls(
      *std::move(activities), marker_ids_, host_ns_.size(), copies_follow_);
  if (absl::IsFailedPrecondition(spans.status())) {
    return MakeFailed(worker::Failed::RAISED, spans.status().message());
  }
  if (!spans.ok()) return InternalUnlessOk(spans.status());
  times.clear();
  for (size_t i = 0; i < host_ns_.size(); ++i) {
    times.push_back({(*spans)[i].span_ns, host_ns_[i], (*spans)[i].outside_ns});
  }
  return std::nullopt;
}

}  // namespace assay
