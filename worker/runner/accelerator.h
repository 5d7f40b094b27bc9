// The GPU that a SetUp request names, opened, and the timer for its calls.

#ifndef ASSAY_WORKER_RUNNER_ACCELERATOR_H_
#define ASSAY_WORKER_RUNNER_ACCELERATOR_H_

#include <memory>

#include "absl/status/statusor.h"
#include "worker/cuda/context.h"
#include "worker/protocol/runner.pb.h"
#include "worker/runner/call_timer.h"

namespace assay {

struct Accelerator {
  std::unique_ptr<CudaContext> context;
  // Uses the context.
  std::unique_ptr<CallTimer> timer;
};

// Makes the GPU's context the calling thread's. Fails where there is no such
// GPU, or no CUPTI where it is asked for.
absl::StatusOr<Accelerator> OpenAccelerator(const worker::SetUp& set_up);

}  // namespace assay

#endif  // ASSAY_WORKER_RUNNER_ACCELERATOR_H_
