#include "worker/runner/harness.h"

#include <sched.h>

#include <cstdio>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "base/status_macros.h"
#include "worker/runner/device_failure.h"

namespace assay {
namespace {

MaybeFailed Internal(absl::string_view message) {
  return MakeFailed(worker::Failed::INTERNAL, message);
}

// Has this thread run on the processors. Where that is refused it stays where
// it is, which costs precision alone.
void MoveTo(const google::protobuf::RepeatedField<int32_t>& cpus) {
  cpu_set_t set;
  CPU_ZERO(&set);
  for (const int cpu : cpus) {
    if (cpu >= 0 && cpu < CPU_SETSIZE) CPU_SET(cpu, &set);
  }
  if (CPU_COUNT(&set) > 0) sched_setaffinity(0, sizeof(set), &set);
}

void Spin(int64_t ns) {
  if (ns <= 0) return;
  const int64_t end = MonotonicNs() + ns;
  while (MonotonicNs() < end) {
  }
}

}  // namespace

Harness::Harness(SeqPacketSocket socket, SolutionFactory factory,
                 std::unique_ptr<CallTimer> cpu_timer, SetUpHook hook)
    : socket_(std::move(socket)),
      factory_(std::move(factory)),
      cpu_timer_(std::move(cpu_timer)),
      hook_(std::move(hook)) {}

CallTimer& Harness::timer() {
  return accelerator_.timer != nullptr ? *accelerator_.timer : *cpu_timer_;
}

absl::Status Harness::Serve() {
  worker::RunnerReply ready;
  ready.mutable_ready();
  ASSAY_RETURN_IF_ERROR(socket_.Send(ready.SerializeAsString()));
  while (true) {
    absl::StatusOr<Packet> packet = socket_.Receive(absl::InfiniteDuration());
    if (absl::IsUnavailable(packet.status())) return absl::OkStatus();
    if (!packet.ok()) return packet.status();
    worker::RunnerRequest request;
    if (!request.ParseFromString(packet->data)) {
      return absl::InvalidArgumentError("the worker sent a malformed request");
    }
    if (request.has_bye()) return absl::OkStatus();
    const worker::RunnerReply reply = Answer(request, std::move(packet->fds));
    // What the solution printed must not die with the process.
    std::fflush(stdout);
    ASSAY_RETURN_IF_ERROR(socket_.Send(reply.SerializeAsString()));
  }
}

worker::RunnerReply Harness::Answer(const worker::RunnerRequest& request,
                                    std::vector<UniqueFd> fds) {
  worker::RunnerReply reply;
  reply.set_attempt(request.attempt());
  MaybeFailed failed;
  switch (request.request_case()) {
    case worker::RunnerRequest::kSetUp:
      failed = SetUp(request.set_up());
      reply.mutable_set_up_done();
      break;
    case worker::RunnerRequest::kLoad:
      failed = Load(request.load(), std::move(fds));
      reply.mutable_loaded();
      break;
    case worker::RunnerRequest::kBind:
      failed = Bind(request.bind(), fds);
      reply.mutable_bound();
      break;
    case worker::RunnerRequest::kRun:
      failed = Run(request.run(), *reply.mutable_ran());
      break;
    case worker::RunnerRequest::kPing:
      failed = Ping(request.ping(), *reply.mutable_ran());
      break;
    default:
      failed = Internal("this runner is too old for the worker's request");
  }
  if (failed.has_value()) *reply.mutable_failed() = *std::move(failed);
  return reply;
}

MaybeFailed Harness::SetUp(const worker::SetUp& set_up) {
  if (solution_ != nullptr) return Internal("a solution is already loaded");
  if (accelerator_.context != nullptr) return Internal("a GPU is already open");
  absl::StatusOr<Accelerator> accelerator = OpenAccelerator(set_up);
  if (!accelerator.ok()) return InternalUnlessOk(accelerator.status());
  if (hook_ != nullptr) {
    if (MaybeFailed failed = hook_(*accelerator->context)) return failed;
  }
  accelerator_ = *std::move(accelerator);
  return timer().Settle(/*copies_follow=*/false);
}

MaybeFailed Harness::Load(const worker::Load& load, std::vector<UniqueFd> fds) {
  if (solution_ != nullptr) return Internal("a solution is already loaded");
  if (fds.size() != 1) return Internal("a load needs one descriptor");
  solution_ = factory_(load.kind());
  if (solution_ == nullptr) {
    return Internal(absl::StrCat("this runner cannot load ",
                                 worker::Load::Kind_Name(load.kind())));
  }
  input_count_ = load.inputs_size();
  output_count_ = load.outputs_size();
  returns_outputs_ = !load.destination_passing();
  MaybeFailed failed = solution_->Load(load, std::move(fds[0]));
  if (failed.has_value()) solution_.reset();
  return failed;
}

MaybeFailed Harness::CheckDevice() const {
  if (accelerator_.context == nullptr) return std::nullopt;
  const CudaContext& context = *accelerator_.context;
  const CudaDriver& cuda = context.driver();
  // The solution may have made another current.
  CUresult result = cuda.cuCtxSetCurrent(context.handle());
  if (result == CUDA_SUCCESS) result = cuda.cuCtxSynchronize();
  return FailedBeforeCall(cuda, result);
}

MaybeFailed Harness::Bind(const worker::Bind& bind,
                          const std::vector<UniqueFd>& fds) {
  if (solution_ == nullptr) return Internal("no solution is loaded");
  if (MaybeFailed failed = CheckDevice()) return failed;
  for (const worker::InputSet& draw : bind.draws()) {
    if (draw.values_size() == input_count_) continue;
    return Internal(absl::StrCat("a draw has ", draw.values_size(),
                                 " values for ", input_count_, " inputs"));
  }
  for (const worker::OutputSlot& slot : bind.slots()) {
    if (slot.outputs_size() == output_count_) continue;
    return Internal(absl::StrCat("a slot has ", slot.outputs_size(),
                                 " places for ", output_count_, " outputs"));
  }
  absl::StatusOr<std::unique_ptr<BoundMemory>> memory =
      BoundMemory::Map(bind, fds, accelerator_.context.get());
  if (!memory.ok()) return InternalUnlessOk(memory.status());
  MoveTo(bind.cpus());
  MaybeFailed failed = solution_->Bind(**memory);
  // Only now is nothing left that points into the old memory.
  memory_ = *std::move(memory);
  if (failed.has_value()) return failed;
  // The solution may have had the GPU prepare something until now.
  return timer().Settle(/*copies_follow=*/returns_outputs_);
}

MaybeFailed Harness::Run(const worker::Run& run, worker::Ran& ran) {
  if (memory_ == nullptr) return Internal("no memory is bound");
  if (MaybeFailed failed = CheckDevice()) return failed;
  if (MaybeFailed failed = timer().Begin()) return failed;
  if (MaybeFailed failed = CallAll(run)) return failed;
  return Report(ran);
}

MaybeFailed Harness::Ping(const worker::Ping& ping, worker::Ran& ran) {
  if (MaybeFailed failed = CheckDevice()) return failed;
  if (MaybeFailed failed = timer().Begin()) return failed;
  if (MaybeFailed failed = timer().Prepare(ping.flush_bytes())) return failed;
  timer().Start();
  Spin(ping.spin_ns());
  if (MaybeFailed failed = timer().Stop()) return failed;
  return Report(ran);
}

MaybeFailed Harness::Report(worker::Ran& ran) {
  std::vector<CallTime> times;
  if (MaybeFailed failed = timer().Finish(times)) return failed;
  for (const CallTime& time : times) {
    ran.add_call_ns(time.call_ns);
    ran.add_host_ns(time.host_ns);
    ran.add_outside_ns(time.outside_ns);
  }
  return std::nullopt;
}

MaybeFailed Harness::CallAll(const worker::Run& run) {
  for (int i = 0; i < run.calls_size(); ++i) {
    if (MaybeFailed failed = CallOnce(run.calls(i), run.flush_bytes())) {
      failed->set_call(i);
      return failed;
    }
  }
  return std::nullopt;
}

MaybeFailed Harness::CallOnce(const worker::Run::Call& call,
                              int64_t flush_bytes) {
  const auto draw = static_cast<size_t>(call.draw());
  const auto slot = static_cast<size_t>(call.slot());
  if (draw >= memory_->draws().size() || slot >= memory_->slots().size()) {
    return Internal(absl::StrCat("there is no draw ", call.draw(),
                                 " or no slot ", call.slot()));
  }
  if (MaybeFailed failed = timer().Prepare(flush_bytes)) return failed;
  timer().Start();
  solution_->Call(draw, slot);
  MaybeFailed stopped = timer().Stop();
  MaybeFailed finished = solution_->Finish(draw, slot);
  if (!stopped.has_value()) return finished;
  if (!finished.has_value()) return stopped;
  // What the solution made of the device's error.
  return MakeFailed(stopped->kind(), absl::StrCat(stopped->message(), "\n",
                                                  finished->message()));
}

}  // namespace assay
