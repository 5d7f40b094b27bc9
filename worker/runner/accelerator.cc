#include "worker/runner/accelerator.h"

#include "base/status_macros.h"
#include "worker/cuda/cupti.h"
#include "worker/runner/cupti_call_timer.h"
#include "worker/runner/event_call_timer.h"

namespace assay {
namespace {

absl::StatusOr<std::unique_ptr<CallTimer>> MakeTimer(
    const worker::SetUp& set_up, const CudaContext& context) {
  if (set_up.cupti_path().empty()) return EventCallTimer::Create(context);
  ASSAY_ASSIGN_OR_RETURN(Cupti * cupti, Cupti::Start(set_up.cupti_path()));
  return CuptiCallTimer::Create(context, *cupti);
}

}  // namespace

absl::StatusOr<Accelerator> OpenAccelerator(const worker::SetUp& set_up) {
  Accelerator accelerator;
  ASSAY_ASSIGN_OR_RETURN(accelerator.context,
                         CudaContext::OpenByUuid(set_up.cuda_uuid()));
  ASSAY_RETURN_IF_ERROR(accelerator.context->MakeCurrent());
  ASSAY_ASSIGN_OR_RETURN(accelerator.timer,
                         MakeTimer(set_up, *accelerator.context));
  return accelerator;
}

}  // namespace assay
