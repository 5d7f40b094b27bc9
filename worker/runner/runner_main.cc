// assay-runner: the process that loads one compiled solution and calls it. The
// worker starts it in a sandbox with its control socket as descriptor 3.

#include <sys/prctl.h>

#include <cstdio>
#include <memory>
#include <string>
#include <utility>

#include "base/fd.h"
#include "base/seqpacket.h"
#include "worker/runner/c_solution.h"
#include "worker/runner/call_timer.h"
#include "worker/runner/harness.h"
#include "worker/runner/tvm_ffi_solution.h"

namespace {

constexpr int kControlFd = 3;

std::unique_ptr<assay::LoadedSolution> MakeNativeSolution(
    assay::worker::Load::Kind kind) {
  switch (kind) {
    case assay::worker::Load::NATIVE_C:
      return std::make_unique<assay::CSolution>();
    case assay::worker::Load::NATIVE_TVM_FFI:
      return std::make_unique<assay::TvmFfiSolution>();
    default:
      return nullptr;
  }
}

// Keeps other processes of its user, those of the solution among them, from its
// memory, environment and descriptors, and itself from /proc/self/mem and
// environ. Python runners have isolation.py for that.
void HideMemory() { prctl(PR_SET_DUMPABLE, 0); }

}  // namespace

int main() {
  HideMemory();
  assay::Harness harness(assay::SeqPacketSocket(assay::UniqueFd(kControlFd)),
                         &MakeNativeSolution,
                         std::make_unique<assay::CpuCallTimer>());
  const absl::Status status = harness.Serve();
  if (status.ok()) return 0;
  std::fprintf(stderr, "assay-runner: %s\n",
               std::string(status.message()).c_str());
  return 1;
}
