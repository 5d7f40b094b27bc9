// Serves the runner protocol (worker/protocol/runner.proto) inside the hostile
// process: loads a solution, binds memory, and times its calls one by one.
//
//   Harness harness(SeqPacketSocket(UniqueFd(3)), MakeNativeSolution,
//                   std::make_unique<CpuCallTimer>());
//   absl::Status why = harness.Serve();
//
// Without a SetUp memory is the host's, and calls are timed by the timer given
// here; a SetUp opens a GPU, whose memory and timer take their places.
//
// There is one kind of call. Nothing here tells a call whose outputs will be
// checked from a call that is timed, because every call is both.

#ifndef ASSAY_WORKER_RUNNER_HARNESS_H_
#define ASSAY_WORKER_RUNNER_HARNESS_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "base/fd.h"
#include "base/seqpacket.h"
#include "worker/cuda/context.h"
#include "worker/protocol/runner.pb.h"
#include "worker/runner/accelerator.h"
#include "worker/runner/bound_memory.h"
#include "worker/runner/call_timer.h"
#include "worker/runner/failure.h"
#include "worker/runner/loaded_solution.h"

namespace assay {

// Makes the object for a kind of solution; null when this program has none.
using SolutionFactory =
    std::function<std::unique_ptr<LoadedSolution>(worker::Load::Kind)>;

// Lets what solutions use besides, such as torch, take up the GPU as well.
using SetUpHook = std::function<MaybeFailed(const CudaContext&)>;

// Not thread-safe.
class Harness {
 public:
  Harness(SeqPacketSocket socket, SolutionFactory factory,
          std::unique_ptr<CallTimer> cpu_timer, SetUpHook hook = nullptr);

  // Answers requests until Bye or until the worker hangs up: OK.
  absl::Status Serve();

 private:
  worker::RunnerReply Answer(const worker::RunnerRequest& request,
                             std::vector<UniqueFd> fds);
  MaybeFailed SetUp(const worker::SetUp& set_up);
  // RAISED when the GPU has an error from before: it would else look like one
  // of what is done next.
  MaybeFailed CheckDevice() const;
  MaybeFailed Load(const worker::Load& load, std::vector<UniqueFd> fds);
  MaybeFailed Bind(const worker::Bind& bind, const std::vector<UniqueFd>& fds);
  MaybeFailed Run(const worker::Run& run, worker::Ran& ran);
  MaybeFailed Ping(const worker::Ping& ping, worker::Ran& ran);
  // Gives the times of the calls that were made.
  MaybeFailed Report(worker::Ran& ran);
  MaybeFailed CallAll(const worker::Run& run);
  MaybeFailed CallOnce(const worker::Run::Call& call, int64_t flush_bytes);

  CallTimer& timer();

  SeqPacketSocket socket_;
  const SolutionFactory factory_;
  const std::unique_ptr<CallTimer> cpu_timer_;
  const SetUpHook hook_;
  // Empty on the CPU.
  Accelerator accelerator_;
  // Before the solution: its destructor may still use the memory.
  std::unique_ptr<BoundMemory> memory_;
  std::unique_ptr<LoadedSolution> solution_;
  // Of the solution that is loaded.
  int input_count_ = 0;
  int output_count_ = 0;
  bool returns_outputs_ = false;
};

}  // namespace assay

#endif  // ASSAY_WORKER_RUNNER_HARNESS_H_
