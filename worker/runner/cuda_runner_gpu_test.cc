// The runner on a GPU: its timers, and the harness from SetUp to Run. Needs the
// first GPU, alone, and CUPTI: at ASSAY_CUPTI_PATH or where a toolkit has it.
//
//   CUDA_VISIBLE_DEVICES=0 runner_gpu_test

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/time/time.h"
#include "base/fd.h"
#include "base/seqpacket.h"
#include "base/status_testing.h"
#include "worker/cuda/context.h"
#include "worker/cuda/device_memory.h"
#include "worker/protocol/runner.pb.h"
#include "worker/runner/accelerator.h"
#include "worker/runner/bound_memory.h"
#include "worker/runner/call_timer.h"
#include "worker/runner/harness.h"
#include "worker/runner/loaded_solution.h"
#include "worker/runner/returned_output.h"

namespace assay {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::Ge;
using ::testing::Gt;
using ::testing::SizeIs;

constexpr absl::Duration kPatience = absl::Seconds(60);
constexpr int64_t kMiB = int64_t{1} << 20;
// Twice the L2 cache of an H200 and more.
constexpr int64_t kFlushBytes = 128 * kMiB;

std::string CuptiPath() {
  const char* given = std::getenv("ASSAY_CUPTI_PATH");
  if (given != nullptr) return given;
  const std::string extras = "/usr/local/cuda/extras/CUPTI/lib64/libcupti.so";
  if (access(extras.c_str(), R_OK) == 0) return extras;
  return "/usr/local/cuda/lib64/libcupti.so";
}

worker::SetUp SetUpOf(const CudaContext& gpu, bool with_cupti) {
  worker::SetUp set_up;
  set_up.set_cuda_uuid(gpu.uuid());
  if (with_cupti) set_up.set_cupti_path(CuptiPath());
  return set_up;
}

std::vector<int64_t> CallNs(const std::vector<CallTime>& times) {
  std::vector<int64_t> call_ns;
  for (const CallTime& time : times) call_ns.push_back(time.call_ns);
  return call_ns;
}

// Both timers, with memsets for calls. The parameter: whether it is CUPTI's.
class CallTimerGpuTest : public ::testing::TestWithParam<bool> {
 protected:
  static constexpr int64_t kBytes = 1024 * kMiB;

  void SetUp() override {
    ASSERT_OK_AND_ASSIGN(gpu_, CudaContext::Open(0));
    ASSERT_OK(gpu_->MakeCurrent());
    ASSERT_OK_AND_ASSIGN(memory_, DeviceMemory::Create(*gpu_, kBytes));
    ASSERT_OK_AND_ASSIGN(accelerator_,
                         OpenAccelerator(SetUpOf(*gpu_, GetParam())));
    ASSERT_EQ(cuda().cuStreamCreate(&side_, CU_STREAM_NON_BLOCKING),
              CUDA_SUCCESS);
  }
  void TearDown() override {
    if (side_ != nullptr) cuda().cuStreamDestroy(side_);
  }

  const CudaDriver& cuda() const { return gpu_->driver(); }
  CallTimer& timer() { return *accelerator_.timer; }

  void Fill(int64_t bytes, CUstream stream) {
    ASSERT_EQ(cuda().cuMemsetD32Async(memory_.address(), 7,
                                      static_cast<size_t>(bytes / 4), stream),
              CUDA_SUCCESS);
  }

  void TimeOne(const std::function<void()>& call,
               int64_t flush_bytes = kFlushBytes) {
    const MaybeFailed prepared = timer().Prepare(flush_bytes);
    ASSERT_FALSE(prepared.has_value()) << prepared->message();
    timer().Start();
    call();
    const MaybeFailed stopped = timer().Stop();
    ASSERT_FALSE(stopped.has_value()) << stopped->message();
  }

  std::vector<CallTime> Finish() {
    std::vector<CallTime> times;
    const MaybeFailed finished = timer().Finish(times);
    EXPECT_FALSE(finished.has_value()) << finished->message();
    return times;
  }

  // Times of `calls`, in order, the first of which warms up and is left out.
  std::vector<CallTime> Time(const std::vector<std::function<void()>>& calls,
                             int64_t flush_bytes = kFlushBytes) {
    EXPECT_FALSE(timer().Begin().has_value());
    TimeOne(calls.front(), flush_bytes);
    for (const auto& call : calls) TimeOne(call, flush_bytes);
    std::vector<CallTime> times = Finish();
    if (!times.empty()) times.erase(times.begin());
    return times;
  }

  std::unique_ptr<CudaContext> gpu_;
  DeviceMemory memory_;
  Accelerator accelerator_;
  CUstream side_ = nullptr;
};

INSTANTIATE_TEST_SUITE_P(Timers, CallTimerGpuTest, ::testing::Bool(),
                         [](const auto& info) {
                           return info.param ? "Cupti" : "Events";
                         });

TEST_P(CallTimerGpuTest, CallsTakeTimeAndTheHostWaitsForThem) {
  const auto times = Time({[&] { Fill(kBytes, nullptr); }});
  ASSERT_THAT(times, SizeIs(1));
  // 1 GiB in less would be more than 20 TB/s.
  EXPECT_GT(times[0].call_ns, 50000);
  EXPECT_GT(times[0].host_ns, times[0].call_ns);
}

TEST_P(CallTimerGpuTest, TellsLongCallsFromShortOnes) {
  const auto full = [&] { Fill(kBytes, nullptr); };
  const auto part = [&] { Fill(kBytes / 16, nullptr); };
  const auto times = CallNs(Time({full, part, full, part}));
  ASSERT_THAT(times, SizeIs(4));
  EXPECT_GT(times[0], 4 * times[1]);
  EXPECT_GT(times[2], 4 * times[1]);
  EXPECT_GT(times[2], 4 * times[3]);
}

TEST_P(CallTimerGpuTest, CountsAStreamThatNobodyJoined) {
  const auto times = CallNs(
      Time({[&] { Fill(kBytes, nullptr); }, [&] { Fill(kBytes, side_); }}));
  ASSERT_THAT(times, SizeIs(2));
  EXPECT_NEAR(times[1], times[0], 0.2 * times[0]);
}

TEST_P(CallTimerGpuTest, NoStreamRunsAheadOfTheFlush) {
  // The flush takes longer than the call.
  const auto times = CallNs(Time(
      {[&] { Fill(kBytes / 4, nullptr); }, [&] { Fill(kBytes / 4, side_); }},
      4 * kBytes));
  ASSERT_THAT(times, SizeIs(2));
  EXPECT_NEAR(times[1], times[0], 0.3 * times[0]);
}

TEST_P(CallTimerGpuTest, StreamsThatOverlapCountOnce) {
  const auto both = [&] {
    Fill(kBytes, nullptr);
    Fill(kBytes, side_);
  };
  const auto times = CallNs(Time({[&] { Fill(kBytes, nullptr); }, both}));
  ASSERT_THAT(times, SizeIs(2));
  EXPECT_GT(times[1], 0.9 * times[0]);
  EXPECT_LT(times[1], 2.5 * times[0]);
}

TEST_P(CallTimerGpuTest, WorkBetweenCallsIsNotCounted) {
  EXPECT_FALSE(timer().Begin().has_value());
  for (int i = 0; i < 3; ++i) {
    TimeOne([&] { Fill(kBytes / 16, nullptr); });
    Fill(kBytes, nullptr);
    Fill(kBytes, side_);
  }
  const auto times = CallNs(Finish());
  const auto alone = CallNs(Time({[&] { Fill(kBytes / 16, nullptr); }}));
  ASSERT_THAT(times, SizeIs(3));
  ASSERT_THAT(alone, SizeIs(1));
  EXPECT_LT(times[1], 2 * alone[0]);
  EXPECT_LT(times[2], 2 * alone[0]);
}

TEST_P(CallTimerGpuTest, CallThatDoesNothingTakesNextToNothing) {
  const auto times = CallNs(Time({[] {}, [] {}}));
  ASSERT_THAT(times, SizeIs(2));
  const bool with_cupti = GetParam();
  EXPECT_LE(times[1], with_cupti ? 0 : 100000);
}

TEST_P(CallTimerGpuTest, WorksWithoutAFlush) {
  const auto times = CallNs(Time({[&] { Fill(kBytes, nullptr); }}, 0));
  ASSERT_THAT(times, SizeIs(1));
  EXPECT_GT(times[0], 50000);
}

TEST_P(CallTimerGpuTest, BeginForgetsABatchThatEndedEarly) {
  EXPECT_FALSE(timer().Begin().has_value());
  TimeOne([&] { Fill(kBytes, nullptr); });
  EXPECT_FALSE(timer().Prepare(kFlushBytes).has_value());
  EXPECT_FALSE(timer().Begin().has_value());
  TimeOne([&] { Fill(kBytes, nullptr); });
  EXPECT_THAT(Finish(), SizeIs(1));
}

TEST_P(CallTimerGpuTest, ManyCallsLoseNoRecord) {
  const auto call = [&] { Fill(kMiB, nullptr); };
  EXPECT_THAT(Time(std::vector<std::function<void()>>(3000, call), 0),
              SizeIs(3000));
}

std::vector<int64_t> OutsideNs(const std::vector<CallTime>& times) {
  std::vector<int64_t> outside_ns;
  outside_ns.reserve(times.size());
  for (const CallTime& time : times) outside_ns.push_back(time.outside_ns);
  return outside_ns;
}

TEST_P(CallTimerGpuTest, WorkOfCallsIsNotOutside) {
  ASSERT_FALSE(timer().Settle(/*copies_follow=*/false).has_value());
  const auto both = [&] {
    Fill(kBytes, nullptr);
    Fill(kBytes, side_);
  };
  EXPECT_THAT(OutsideNs(Time({both, [] {}, both})), ElementsAre(0, 0, 0));
}

// Where CUPTI records what the GPU does.
using OutsideWorkGpuTest = CallTimerGpuTest;
INSTANTIATE_TEST_SUITE_P(Cupti, OutsideWorkGpuTest, ::testing::Values(true));

// 1 GiB in less would be more than 20 TB/s.
constexpr int64_t kShortestFillNs = 50000;

TEST_P(OutsideWorkGpuTest, SideStreamOfAThreadBeforeACallIsSeen) {
  ASSERT_FALSE(timer().Settle(/*copies_follow=*/false).has_value());
  ASSERT_FALSE(timer().Begin().has_value());
  std::thread([&] {
    ASSERT_OK(gpu_->MakeCurrent());
    Fill(kBytes, side_);
  }).join();
  TimeOne([&] { Fill(kMiB, nullptr); });
  EXPECT_THAT(OutsideNs(Finish()), ElementsAre(Ge(kShortestFillNs)));
}

TEST_P(OutsideWorkGpuTest, WorkBetweenBatchesIsSeen) {
  ASSERT_FALSE(timer().Settle(/*copies_follow=*/false).has_value());
  Time({[&] { Fill(kMiB, nullptr); }});
  Fill(kBytes, side_);
  // Of the call that warms up, which Time leaves out.
  ASSERT_FALSE(timer().Begin().has_value());
  TimeOne([&] { Fill(kMiB, nullptr); });
  TimeOne([&] { Fill(kMiB, nullptr); });
  EXPECT_THAT(OutsideNs(Finish()), ElementsAre(Ge(kShortestFillNs), 0));
}

TEST_P(OutsideWorkGpuTest, WorkBeforeSettlingIsForgotten) {
  Fill(kBytes, side_);
  ASSERT_FALSE(timer().Settle(/*copies_follow=*/false).has_value());
  ASSERT_FALSE(timer().Begin().has_value());
  TimeOne([&] { Fill(kMiB, nullptr); });
  EXPECT_THAT(OutsideNs(Finish()), ElementsAre(0));
}

TEST_P(OutsideWorkGpuTest, WorkAfterACallIsSeenUnlessCopiesFollow) {
  for (const bool copies_follow : {false, true}) {
    ASSERT_FALSE(timer().Settle(copies_follow).has_value());
    ASSERT_FALSE(timer().Begin().has_value());
    TimeOne([&] { Fill(kMiB, nullptr); });
    Fill(kBytes, side_);
    const std::vector<int64_t> outside_ns = OutsideNs(Finish());
    ASSERT_THAT(outside_ns, SizeIs(1));
    EXPECT_EQ(outside_ns[0] >= kShortestFillNs, !copies_follow);
  }
}

TEST(TimersGpuTest, CuptiAndEventsAgreeOnALongCall) {
  ASSERT_OK_AND_ASSIGN(const auto gpu, CudaContext::Open(0));
  ASSERT_OK(gpu->MakeCurrent());
  constexpr int64_t kBytes = 2048 * kMiB;
  ASSERT_OK_AND_ASSIGN(const DeviceMemory memory,
                       DeviceMemory::Create(*gpu, kBytes));
  std::vector<double> call_ns;
  for (const bool with_cupti : {false, true}) {
    ASSERT_OK_AND_ASSIGN(const Accelerator accelerator,
                         OpenAccelerator(SetUpOf(*gpu, with_cupti)));
    CallTimer& timer = *accelerator.timer;
    timer.Begin();
    for (int i = 0; i < 5; ++i) {
      timer.Prepare(kFlushBytes);
      timer.Start();
      gpu->driver().cuMemsetD32Async(memory.address(), 7, kBytes / 4, nullptr);
      timer.Stop();
    }
    std::vector<CallTime> times;
    timer.Finish(times);
    ASSERT_THAT(times, SizeIs(5));
    call_ns.push_back(static_cast<double>(times[4].call_ns));
  }
  EXPECT_NEAR(call_ns[0], call_ns[1], 0.05 * call_ns[1]);
}

// Copies its input to its output.
class CopySolution final : public LoadedSolution {
 public:
  MaybeFailed Load(const worker::Load& load, UniqueFd content) override {
    return std::nullopt;
  }
  MaybeFailed Bind(const BoundMemory& memory) override {
    memory_ = &memory;
    return std::nullopt;
  }
  void Call(size_t draw, size_t slot) override {
    const BoundTensor& x = *memory_->draws()[draw][0].tensor;
    const BoundTensor& y = *memory_->slots()[slot][0];
    EXPECT_EQ(x.tensor.device.device_type, kDLCUDA);
    EXPECT_EQ(y.tensor.device.device_type, kDLCUDA);
    const CudaDriver& cuda = **CudaDriver::Load();
    EXPECT_EQ(cuda.cuMemcpyDtoD(reinterpret_cast<CUdeviceptr>(y.tensor.data),
                                reinterpret_cast<CUdeviceptr>(x.tensor.data),
                                static_cast<size_t>(x.bytes)),
              CUDA_SUCCESS);
  }
  MaybeFailed Finish(size_t draw, size_t slot) override { return std::nullopt; }

 private:
  const BoundMemory* memory_ = nullptr;
};

// An arena of inputs and one of outputs, with one float32 tensor in each.
class HarnessGpuTest : public ::testing::TestWithParam<bool> {
 protected:
  static constexpr int64_t kArenaBytes = 4096;
  static constexpr int64_t kOffset = 512;

  void SetUp() override {
    ASSERT_OK_AND_ASSIGN(gpu_, CudaContext::Open(0));
    ASSERT_OK(gpu_->MakeCurrent());
    ASSERT_OK_AND_ASSIGN(inputs_, DeviceMemory::Create(*gpu_, kArenaBytes));
    ASSERT_OK_AND_ASSIGN(outputs_, DeviceMemory::Create(*gpu_, kArenaBytes));
    for (const DeviceMemory* arena : {&inputs_, &outputs_}) {
      auto& description = *bind_.add_arenas();
      description.set_size_bytes(kArenaBytes);
      description.set_writable(arena == &outputs_);
      ASSERT_OK_AND_ASSIGN(UniqueFd fd, arena->Share());
      fds_.push_back(std::move(fd));
    }
    *bind_.add_draws()->add_values()->mutable_tensor() = Tensor(0);
    *bind_.add_slots()->add_outputs() = Tensor(1);
  }

  static worker::TensorRef Tensor(int arena) {
    worker::TensorRef ref;
    ref.set_arena(arena);
    ref.set_offset(kOffset);
    ref.set_dtype(v1::DTYPE_FLOAT32);
    ref.add_shape(3);
    return ref;
  }

  void WriteInput(const std::vector<float>& values) {
    ASSERT_EQ(
        gpu_->driver().cuMemcpyHtoD(inputs_.address() + kOffset, values.data(),
                                    values.size() * sizeof(float)),
        CUDA_SUCCESS);
  }

  std::vector<float> ReadOutput(size_t count) {
    std::vector<float> values(count);
    EXPECT_EQ(
        gpu_->driver().cuMemcpyDtoH(values.data(), outputs_.address() + kOffset,
                                    count * sizeof(float)),
        CUDA_SUCCESS);
    return values;
  }

  std::unique_ptr<CudaContext> gpu_;
  DeviceMemory inputs_;
  DeviceMemory outputs_;
  worker::Bind bind_;
  std::vector<UniqueFd> fds_;
};

INSTANTIATE_TEST_SUITE_P(Timers, HarnessGpuTest, ::testing::Bool(),
                         [](const auto& info) {
                           return info.param ? "Cupti" : "Events";
                         });

TEST_P(HarnessGpuTest, SetsUpBindsAndRuns) {
  WriteInput({1, 2, 3});
  auto ends = SeqPacketSocket::Pair().value();
  std::thread serving([socket = std::move(ends.second)]() mutable {
    Harness harness(
        std::move(socket),
        [](worker::Load::Kind) { return std::make_unique<CopySolution>(); },
        std::make_unique<CpuCallTimer>());
    EXPECT_OK(harness.Serve());
  });
  const auto receive = [&] {
    worker::RunnerReply reply;
    EXPECT_TRUE(reply.ParseFromString(ends.first.Receive(kPatience)->data));
    EXPECT_FALSE(reply.has_failed()) << reply.failed().message();
    return reply;
  };
  const auto ask = [&](const worker::RunnerRequest& request,
                       const std::vector<int>& fds) {
    EXPECT_OK(ends.first.Send(request.SerializeAsString(), fds));
    return receive();
  };
  EXPECT_TRUE(receive().has_ready());
  worker::RunnerRequest set_up;
  *set_up.mutable_set_up() = SetUpOf(*gpu_, GetParam());
  EXPECT_TRUE(ask(set_up, {}).has_set_up_done());
  worker::RunnerRequest ping;
  ping.mutable_ping()->set_flush_bytes(kFlushBytes);
  const worker::RunnerReply pinged = ask(ping, {});
  EXPECT_THAT(pinged.ran().host_ns(), SizeIs(1));
  EXPECT_THAT(pinged.ran().outside_ns(), ElementsAre(0));
  worker::RunnerRequest load;
  load.mutable_load()->set_destination_passing(true);
  load.mutable_load()->add_inputs();
  load.mutable_load()->add_outputs();
  const UniqueFd content = CreateMemFd("content", 1).value();
  EXPECT_TRUE(ask(load, {content.get()}).has_loaded());
  worker::RunnerRequest bind;
  *bind.mutable_bind() = bind_;
  // Twice: the second replaces the first.
  for (int i = 0; i < 2; ++i) {
    EXPECT_TRUE(ask(bind, {fds_[0].get(), fds_[1].get()}).has_bound());
  }
  worker::RunnerRequest run;
  run.mutable_run()->set_flush_bytes(kFlushBytes);
  for (int i = 0; i < 10; ++i) run.mutable_run()->add_calls();
  const worker::RunnerReply reply = ask(run, {});
  EXPECT_THAT(reply.ran().call_ns(), SizeIs(10));
  EXPECT_THAT(reply.ran().call_ns(), Each(Gt(0)));
  EXPECT_THAT(reply.ran().host_ns(), SizeIs(10));
  EXPECT_THAT(reply.ran().host_ns(), Each(Ge(1000)));
  EXPECT_THAT(reply.ran().outside_ns(), SizeIs(10));
  EXPECT_THAT(reply.ran().outside_ns(), Each(0));
  EXPECT_THAT(ReadOutput(3), ElementsAre(1, 2, 3));
  ends.first.ReleaseFd();
  serving.join();
}

using ReturnedOutputGpuTest = HarnessGpuTest;
INSTANTIATE_TEST_SUITE_P(Gpu, ReturnedOutputGpuTest, ::testing::Values(false));

TEST_P(ReturnedOutputGpuTest, CopiesTensorsWithinTheGpu) {
  WriteInput({4, 5, 6});
  ASSERT_OK_AND_ASSIGN(const auto memory,
                       BoundMemory::Map(bind_, fds_, gpu_.get()));
  const MaybeFailed failed = CopyReturnedTensor(
      memory->draws()[0][0].tensor->tensor, "y", *memory->slots()[0][0]);
  ASSERT_FALSE(failed.has_value()) << failed->message();
  EXPECT_EQ(gpu_->driver().cuCtxSynchronize(), CUDA_SUCCESS);
  EXPECT_THAT(ReadOutput(3), ElementsAre(4, 5, 6));
}

TEST_P(ReturnedOutputGpuTest, StoresNumbersOnTheGpu) {
  bind_.mutable_slots(0)->mutable_outputs(0)->clear_shape();
  ASSERT_OK_AND_ASSIGN(const auto memory,
                       BoundMemory::Map(bind_, fds_, gpu_.get()));
  const MaybeFailed failed =
      CopyReturnedFloat(2.5, "y", *memory->slots()[0][0]);
  ASSERT_FALSE(failed.has_value()) << failed->message();
  EXPECT_THAT(ReadOutput(1), ElementsAre(2.5));
}

TEST_P(ReturnedOutputGpuTest, TensorOnTheCpuIsOnAnotherDevice) {
  ASSERT_OK_AND_ASSIGN(const auto memory,
                       BoundMemory::Map(bind_, fds_, gpu_.get()));
  DLTensor returned = memory->draws()[0][0].tensor->tensor;
  returned.device = {kDLCPU, 0};
  const MaybeFailed failed =
      CopyReturnedTensor(returned, "y", *memory->slots()[0][0]);
  ASSERT_TRUE(failed.has_value());
  EXPECT_EQ(failed->kind(), worker::Failed::WRONG_OUTPUTS);
}

}  // namespace
}  // namespace assay
