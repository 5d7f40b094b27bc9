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
    return std::nullopt;
  }

 private:
  Events& events_;
  int calls_ = 0;
};

class FakeTimer final : public CallTimer {
 public:
  explicit FakeTimer(Events& events) : events_(events) {}
  absl::Status Prepare(int64_t flush_bytes) override {
    events_.push_back("prepare");
    return absl::OkStatus();
  }
  void Start() override { events_.push_back("start"); }
  absl::StatusOr<int64_t> Stop() override {
    events_.push_back("stop");
    return ++elapsed_ns_;
  }

 private:
  Events& events_;
  int64_t elapsed_ns_ = 0;
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

  worker::RunnerReply Load(worker::Load::Kind kind, const std::string& symbol) {
    worker::RunnerRequest request;
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

  Events events_;
  TestMemory memory_;
  std::unique_ptr<SeqPacketSocket> worker_;
  std::thread serving_;
  absl::Status served_;
};

TEST_F(HarnessTest, NothingButTheCallIsTimed) {
  EXPECT_TRUE(Load(worker::Load::NATIVE_C, "good").has_loaded());
  EXPECT_TRUE(Bind().has_bound());
  EXPECT_THAT(Run(2).ran().call_ns(), ElementsAre(1, 2));
  EXPECT_THAT(events_,
              ElementsAre("prepare", "start", "call", "stop", "finish",
                          "prepare", "start", "call", "stop", "finish"));
}

TEST_F(HarnessTest, FailedCallEndsTheRunAndIsNamed) {
  Load(worker::Load::NATIVE_C, "good");
  Bind();
  const worker::RunnerReply reply = Run(5);
  EXPECT_EQ(reply.failed().kind(), worker::Failed::RAISED);
  EXPECT_EQ(reply.failed().message(), "third");
  EXPECT_EQ(reply.failed().call(), 2);
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
