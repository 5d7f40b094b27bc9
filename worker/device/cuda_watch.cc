#include "worker/device/cuda_watch.h"

#include <system_error>
#include <utility>

#include "base/clock.h"
#include "base/status_macros.h"
#include "worker/cuda/runtime_status.h"

namespace assay {
namespace {

// A GPU that is all the worker's answers within 6 us, and takes more than 100
// us to change hands.
constexpr absl::Duration kShortestTurn = absl::Microseconds(30);

// For a GPU that does not answer at all.
constexpr absl::Duration kPatience = absl::Seconds(10);

constexpr char kAsking[] = "watching the GPU";

}  // namespace

absl::StatusOr<std::unique_ptr<CudaWatch>> CudaWatch::Start(
    const CudaContext& context, cudaStream_t stream, uint32_t* word) {
  std::unique_ptr<CudaWatch> watch(new CudaWatch(context, stream, word));
  try {
    watch->thread_ =
        std::thread([self = watch.get()] { self->status_ = self->Watch(); });
  } catch (const std::system_error&) {
    return absl::ResourceExhaustedError(
        "there is no thread to be had to watch the GPU; look at the limits of "
        "processes (ulimit -u)");
  }
  return watch;
}

CudaWatch::~CudaWatch() {
  is_over_ = true;
  if (thread_.joinable()) thread_.join();
}

absl::StatusOr<std::vector<absl::Duration>> CudaWatch::Finish() {
  is_over_ = true;
  thread_.join();
  ASSAY_RETURN_IF_ERROR(status_);
  return std::move(turns_);
}

absl::Status CudaWatch::Watch() {
  ASSAY_RETURN_IF_ERROR(context_.MakeCurrent());
  while (!is_over_) {
    ASSAY_ASSIGN_OR_RETURN(const absl::Duration answer, Ask());
    if (answer > kShortestTurn) turns_.push_back(answer);
  }
  return absl::OkStatus();
}

absl::StatusOr<absl::Duration> CudaWatch::Ask() {
  const absl::Duration begin = Clock::Real().Monotonic();
  ASSAY_RETURN_IF_ERROR(RuntimeStatus(
      cudaMemsetAsync(word_, 0, sizeof(*word_), stream_), kAsking));
  while (true) {
    const cudaError_t state = cudaStreamQuery(stream_);
    const absl::Duration waited = Clock::Real().Monotonic() - begin;
    if (state == cudaSuccess) return waited;
    if (state != cudaErrorNotReady) return RuntimeStatus(state, kAsking);
    // A call may last as long as it has leave to; what is asked after it not.
    if (is_over_ && waited > kPatience) {
      return absl::InternalError("the GPU does not answer");
    }
  }
}

}  // namespace assay
