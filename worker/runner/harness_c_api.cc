#include "worker/runner/harness_c_api.h"

#include <cstdio>
#include <memory>
#include <string>
#include <utility>

#include "absl/strings/string_view.h"
#include "base/fd.h"
#include "base/seqpacket.h"
#include "worker/cuda/context.h"
#include "worker/runner/call_timer.h"
#include "worker/runner/callback_solution.h"
#include "worker/runner/harness.h"

void assay_harness_fail(AssayFailure* failure, const char* kind,
                        const char* text, size_t bytes) {
  assay::worker::Failed::Kind parsed;
  if (!assay::worker::Failed::Kind_Parse(kind, &parsed)) {
    parsed = assay::worker::Failed::INTERNAL;
  }
  failure->failed = assay::MakeFailed(parsed, absl::string_view(text, bytes));
}

int assay_harness_serve(int fd, const AssayCallbacks* callbacks) {
  const auto factory = [callbacks](assay::worker::Load::Kind kind)
      -> std::unique_ptr<assay::LoadedSolution> {
    if (kind != assay::worker::Load::PYTHON &&
        kind != assay::worker::Load::TORCH_EXTENSION) {
      return nullptr;
    }
    return std::make_unique<assay::CallbackSolution>(*callbacks);
  };
  const auto set_up = [callbacks](const assay::CudaContext& context) {
    const AssaySetUp given = {context.ordinal()};
    AssayFailure failure;
    callbacks->set_up(&given, &failure);
    return failure.failed;
  };
  assay::Harness harness(assay::SeqPacketSocket(assay::UniqueFd(fd)), factory,
                         std::make_unique<assay::CpuCallTimer>(), set_up);
  const absl::Status status = harness.Serve();
  if (status.ok()) return 0;
  std::fprintf(stderr, "libassay_harness: %s\n",
               std::string(status.message()).c_str());
  return 1;
}
