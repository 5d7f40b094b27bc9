#include "worker/runner/harness.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/status_testing.h"
#include "worker/runner/runner_testing.h"

namespace assay {
namespace {

using ::testing::AnyOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr absl::Duration kPatience = absl::Seconds(60);

using Events = std::vector<std::string>;

// Writes down what is asked of it.
class FakeSolution final : public LoadedSolution {
 public:
  explicit FakeSolution(Events& events) : events_(events) {}

  MaybeFailed Load(const worker::Load& load, UniqueFd content) override {
    if (load.symbol() == "bad") return MakeFailed(worker::Failed::LOAD, "bad");
    also_raise_ = load.symbol() == "raises in the sixth call, too";
    return std::nullopt;
  }
  MaybeFailed Bind(const BoundMemory& memory) override { return std::nullopt; }
  void Call(size_t draw, size_t slot) override {
    events_.push_back("call");
    ++calls_;
  }
  MaybeFailed Finish(size_t draw, size_t slot) override {
    events_.push_back("finish");
    if (calls_ == 3) return MakeFailed(worker::Failed::RAISED, "third");
    if (calls_ == 6 && also_raise_) {
      return MakeFailed(worker::Failed::WRONG_SHAPE, "solution");
    }
    return std::nullopt;
  }

 private:
  Events& events_;
  int calls_ = 0;
  bool also_raise_ = false;
};

class FakeTimer final : public CallTimer {
 public:
  explicit FakeTimer(Events& events) : events_(events) {}
  MaybeFailed Settle(bool copies_follow) override {
    events_.push_back(copies_follow ? "settle, copies follow" : "settle");
    return std::nullopt;
  }
  MaybeFailed Begin() override {
    events_.push_back("begin");
    times_.clear();
    return std::nullopt;
  }
  MaybeFailed Prepare(int64_t flush_bytes) override {
    events_.push_back("prepare");
    return std::nullopt;
  }
  void Start() override { events_.push_back("start"); }
  // The sixth call fails on the device.
  MaybeFailed Stop() override {
    events_.push_back("stop");
    ++stops_;
    if (stops_ == 6) return MakeFailed(worker::Failed::RAISED, "device");
    times_.push_back({stops_, 10 * stops_, 100 * stops_});
    return std::nullopt;
  }
  MaybeFailed Finish(std::vector<CallTime>& times) override {
    events_.push_back("collect");
    times = times_;
    return std::nullopt;
  }

 private:
  Events& events_;
  int64_t stops_ = 0;
  std::vector<CallTime> times_;
};

class HarnessTest : public ::testing::Test {
 protected:
  HarnessTest() {
    auto ends = SeqPacketSocket::Pair().value();
    worker_ = std::make_unique<SeqPacketSocket>(std::move(ends.first));
    serving_ = std::thread([this, socket = std::move(ends.second)]() mutable {
      Harness harness(
          std::move(socket),
          [this](worker::Load::Kind kind) -> std::unique_ptr<LoadedSolution> {
            if (kind != worker::Load::NATIVE_C) return nullptr;
            return std::make_unique<FakeSolution>(events_);
          },
          std::make_unique<FakeTimer>(events_));
      served_ = harness.Serve();
    });
    EXPECT_TRUE(Receive().has_ready());
  }
  ~HarnessTest() override { HangUp(); }

  void HangUp() {
    worker_.reset();
    if (serving_.joinable()) serving_.join();
  }

  worker::RunnerReply Receive() {
    worker::RunnerReply reply;
    EXPECT_TRUE(reply.ParseFromString(worker_->Receive(kPatience)->data));
    return reply;
  }

  worker::RunnerReply Ask(worker::RunnerRequest request,
                          const std::vector<int>& fds) {
    request.set_attempt("att-1");
    EXPECT_OK(worker_->Send(request.SerializeAsString(), fds));
    worker::RunnerReply reply = Receive();
    EXPECT_EQ(reply.attempt(), "att-1");
    return reply;
  }

  worker::RunnerReply SetUp(const std::string& uuid) {
    worker::RunnerRequest request;
    request.mutable_set_up()->set_cuda_uuid(uuid);
    return Ask(request, {});
  }

  worker::RunnerReply Load(worker::Load::Kind kind, const std::string& symbol,
                           bool destination_passing = true) {
    worker::RunnerRequest request;
    request.mutable_load()->set_destination_passing(destination_passing);
    request.mutable_load()->set_kind(kind);
    request.mutable_load()->set_symbol(symbol);
    const UniqueFd content = CreateMemFd("content", 1).value();
    return Ask(request, {content.get()});
  }

  worker::RunnerReply Bind() {
    worker::RunnerRequest request;
    *request.mutable_bind() = memory_.bind();
    return Ask(request, memory_.fds());
  }

  worker::RunnerReply Run(int calls) {
    worker::RunnerRequest request;
    *request.mutable_run() = RunFirst(calls);
    return Ask(request, {});
  }

  worker::RunnerReply Ping() {
    worker::RunnerRequest request;
    request.mutable_ping()->set_flush_bytes(1);
    return Ask(request, {});
  }

  Events events_;
  TestMemory memory_;
  std::unique_ptr<SeqPacketSocket> worker_;
  std::thread serving_;
  absl::Status served_;
};

TEST_F(HarnessTest, NothingButTheCallIsTimed) {
  EXPECT_TRUE(Load(worker::Load::NATIVE_C, "good").has_loaded());
  EXPECT_TRUE(Bind().has_bound());
  const worker::RunnerReply reply = Run(2);
  EXPECT_THAT(reply.ran().call_ns(), ElementsAre(1, 2));
  EXPECT_THAT(reply.ran().host_ns(), ElementsAre(10, 20));
  EXPECT_THAT(reply.ran().outside_ns(), ElementsAre(100, 200));
  EXPECT_THAT(events_, ElementsAre("settle", "begin",                   //
                                   "prepare", "start", "call", "stop",  //
                                   "finish",                            //
                                   "prepare", "start", "call", "stop",  //
                                   "finish",                            //
                                   "collect"));
}

TEST_F(HarnessTest, TimerIsToldOfCopiesOfReturnedOutputs) {
  Load(worker::Load::NATIVE_C, "good", /*destination_passing=*/false);
  Bind();
  EXPECT_THAT(events_, ElementsAre("settle, copies follow"));
}

TEST_F(HarnessTest, PingTimesACallOfNothing) {
  const worker::RunnerReply reply = Ping();
  EXPECT_THAT(reply.ran().call_ns(), ElementsAre(1));
  EXPECT_THAT(reply.ran().host_ns(), ElementsAre(10));
  EXPECT_THAT(reply.ran().outside_ns(), ElementsAre(100));
  EXPECT_THAT(events_,
              ElementsAre("begin", "prepare", "start", "stop", "collect"));
}

TEST_F(HarnessTest, PingIsBusyForAsLongAsItIsTold) {
  worker::RunnerRequest request;
  request.mutable_ping()->set_spin_ns(2'000'000);
  const int64_t begin_ns = MonotonicNs();
  EXPECT_TRUE(Ask(request, {}).has_ran());
  EXPECT_GE(MonotonicNs() - begin_ns, 2'000'000);
}

TEST_F(HarnessTest, PingMayComeAtAnyTime) {
  EXPECT_TRUE(Ping().has_ran());
  Load(worker::Load::NATIVE_C, "good");
  EXPECT_TRUE(Ping().has_ran());
  Bind();
  EXPECT_TRUE(Ping().has_ran());
  EXPECT_TRUE(Run(1).has_ran());
  EXPECT_TRUE(Ping().has_ran());
}

TEST_F(HarnessTest, PingThatFailsOnTheDeviceFails) {
  for (int i = 0; i < 5; ++i) Ping();
  EXPECT_EQ(Ping().failed().message(), "device");
}

TEST_F(HarnessTest, FailedCallEndsTheRunAndIsNamed) {
  Load(worker::Load::NATIVE_C, "good");
  Bind();
  const worker::RunnerReply reply = Run(5);
  EXPECT_EQ(reply.failed().kind(), worker::Failed::RAISED);
  EXPECT_EQ(reply.failed().message(), "third");
  EXPECT_EQ(reply.failed().call(), 2);
}

TEST_F(HarnessTest, CallThatFailsOnTheDeviceIsNamed) {
  Load(worker::Load::NATIVE_C, "good");
  Bind();
  Run(3);
  const worker::RunnerReply reply = Run(5);
  EXPECT_EQ(reply.failed().kind(), worker::Failed::RAISED);
  EXPECT_EQ(reply.failed().message(), "device");
  EXPECT_EQ(reply.failed().call(), 2);
  // The solution is asked, too: its state is for the next call.
  EXPECT_EQ(events_.back(), "finish");
}

TEST_F(HarnessTest, DeviceHasTheFirstWordOnAFailedCall) {
  Load(worker::Load::NATIVE_C, "raises in the sixth call, too");
  Bind();
  Run(3);
  const worker::RunnerReply reply = Run(5);
  EXPECT_EQ(reply.failed().kind(), worker::Failed::RAISED);
  EXPECT_EQ(reply.failed().message(), "device\nsolution");
}

TEST_F(HarnessTest, FailedLoadMayBeRepeated) {
  EXPECT_EQ(Load(worker::Load::NATIVE_C, "bad").failed().kind(),
            worker::Failed::LOAD);
  EXPECT_TRUE(Load(worker::Load::NATIVE_C, "good").has_loaded());
}

TEST_F(HarnessTest, SecondLoadIsRefused) {
  Load(worker::Load::NATIVE_C, "good");
  EXPECT_THAT(Load(worker::Load::NATIVE_C, "good").failed().message(),
              HasSubstr("already loaded"));
}

TEST_F(HarnessTest, UnknownKindIsRefused) {
  EXPECT_THAT(Load(worker::Load::PYTHON, "good").failed().message(),
              HasSubstr("cannot load PYTHON"));
}

TEST_F(HarnessTest, SetUpSaysWhyThereIsNoGpu) {
  const worker::RunnerReply reply = SetUp("GPU-that-is-not-here");
  EXPECT_EQ(reply.failed().kind(), worker::Failed::INTERNAL);
  // Without a driver, or with one.
  EXPECT_THAT(reply.failed().message(),
              AnyOf(HasSubstr("CUDA is not available"),
                    HasSubstr("no GPU with the UUID")));
}

TEST_F(HarnessTest, WorksOnTheCpuAfterASetUpThatFailed) {
  SetUp("GPU-that-is-not-here");
  EXPECT_TRUE(Load(worker::Load::NATIVE_C, "good").has_loaded());
  EXPECT_TRUE(Bind().has_bound());
  EXPECT_THAT(Run(1).ran().call_ns(), ElementsAre(1));
}

TEST_F(HarnessTest, SetUpAfterALoadIsRefused) {
  Load(worker::Load::NATIVE_C, "good");
  EXPECT_THAT(SetUp("GPU-that-is-not-here").failed().message(),
              HasSubstr("already loaded"));
}

TEST_F(HarnessTest, OrderMatters) {
  EXPECT_THAT(Run(1).failed().message(), HasSubstr("no memory is bound"));
  EXPECT_THAT(Bind().failed().message(), HasSubstr("no solution is loaded"));
  EXPECT_THAT(events_, IsEmpty());
}

TEST_F(HarnessTest, WrongNumberOfValuesIsRefused) {
  Load(worker::Load::NATIVE_C, "good");
  memory_.InputInt(1);
  EXPECT_THAT(Bind().failed().message(),
              HasSubstr("a draw has 1 values for 0 inputs"));
}

TEST_F(HarnessTest, WrongNumberOfPlacesIsRefused) {
  Load(worker::Load::NATIVE_C, "good");
  memory_.Output<float>(v1::DTYPE_FLOAT32, {1}, {0});
  EXPECT_THAT(Bind().failed().message(),
              HasSubstr("a slot has 1 places for 0 outputs"));
}

TEST_F(HarnessTest, UnknownRequestIsRefused) {
  EXPECT_EQ(Ask(worker::RunnerRequest(), {}).failed().kind(),
            worker::Failed::INTERNAL);
}

TEST_F(HarnessTest, ByeEndsServing) {
  worker::RunnerRequest request;
  request.mutable_bye();
  ASSERT_OK(worker_->Send(request.SerializeAsString()));
  serving_.join();
  EXPECT_OK(served_);
}

TEST_F(HarnessTest, HangingUpEndsServing) {
  HangUp();
  EXPECT_OK(served_);
}

TEST_F(HarnessTest, MalformedRequestEndsServing) {
  ASSERT_OK(worker_->Send("\xff\xff"));
  serving_.join();
  EXPECT_THAT(served_, StatusIs(absl::StatusCode::kInvalidArgument,
                                HasSubstr("malformed")));
}

}  // namespace
}  // namespace assay
