#include "worker/runner/session.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/socket.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/fd.h"
#include "base/status_testing.h"

namespace assay {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr absl::Duration kPatience = absl::Seconds(60);

// What happened to a FakeProcess; outlives it.
struct ProcessRecord {
  bool killed = false;
  std::vector<int64_t> given_bytes;
  absl::StatusOr<std::string> end = "exit code 3";
};

class FakeProcess final : public RunnerProcess {
 public:
  explicit FakeProcess(ProcessRecord& record) : record_(record) {}
  void Kill() override { record_.killed = true; }
  absl::StatusOr<std::string> WaitAndDescribe(absl::Duration timeout) override {
    return record_.end;
  }
  void SetGivenMemory(int64_t bytes) override {
    record_.given_bytes.push_back(bytes);
  }
  std::string DrainLog() override { return "drained"; }
  std::string TakeLog() override { return "the log"; }

 private:
  ProcessRecord& record_;
};

// Makes a reply from the request that arrived; empty: hangs up.
using Answer = std::function<std::string(const worker::RunnerRequest&)>;

std::string Reply(const worker::RunnerRequest& request,
                  const std::function<void(worker::RunnerReply&)>& fill) {
  worker::RunnerReply reply;
  reply.set_attempt(request.attempt());
  fill(reply);
  return reply.SerializeAsString();
}

class RunnerSessionTest : public ::testing::Test {
 protected:
  ~RunnerSessionTest() override {
    // Closes the socket that the thread may be waiting for.
    session_.reset();
    if (runner_.joinable()) runner_.join();
  }

  // A session with a runner that greets, and reads nothing.
  void StartSilent() {
    auto ends = SeqPacketSocket::Pair().value();
    worker_fd_ = ends.first.fd();
    worker::RunnerReply ready;
    ready.mutable_ready();
    ASSERT_OK(ends.second.Send(ready.SerializeAsString()));
    ASSERT_OK_AND_ASSIGN(
        session_, RunnerSession::Connect(std::move(ends.first),
                                         std::make_unique<FakeProcess>(record_),
                                         kPatience));
    runner_end_.emplace(std::move(ends.second));
  }

  // A session with a runner that greets, and answers one request.
  void Start(Answer answer) {
    ASSERT_NO_FATAL_FAILURE(StartSilent());
    runner_ = std::thread([answer = std::move(answer),
                           socket = *std::move(runner_end_)]() mutable {
      const auto packet = socket.Receive(kPatience);
      worker::RunnerRequest request;
      if (!packet.ok() || !request.ParseFromString(packet->data)) return;
      const std::string reply = answer(request);
      if (reply.empty()) return;
      socket.Send(reply).IgnoreError();
      // Stays until the session ends.
      socket.Receive(kPatience).status().IgnoreError();
    });
  }

  // The outcome of a Run of two calls.
  RunnerOutcome RunTwo(Answer answer) {
    Start(std::move(answer));
    worker::Run run;
    run.add_calls();
    run.add_calls();
    return session_->Run(run, kPatience).value();
  }

  RunnerOutcome RunTwoFailing(worker::Failed::Kind kind, int call,
                              const std::string& message) {
    return RunTwo([=](const worker::RunnerRequest& request) {
      return Reply(request, [&](worker::RunnerReply& reply) {
        reply.mutable_failed()->set_kind(kind);
        reply.mutable_failed()->set_call(call);
        reply.mutable_failed()->set_message(message);
      });
    });
  }

  ProcessRecord record_;
  std::unique_ptr<RunnerSession> session_;
  // The session's end of the socket, which stays the session's.
  int worker_fd_ = -1;
  // The other one, until it is the thread's.
  std::optional<SeqPacketSocket> runner_end_;
  std::thread runner_;
};

MATCHER_P(BrokeProtocol, how, "") {
  *result_listener << "kind " << arg.kind << " " << arg.detail;
  return arg.kind == RunnerOutcome::kDied &&
         arg.detail == absl::StrCat("broke the runner protocol: ", how);
}

TEST_F(RunnerSessionTest, MemoryOfTheHostThatIsBoundIsGiven) {
  Start([](const worker::RunnerRequest& request) {
    return Reply(request,
                 [](worker::RunnerReply& reply) { reply.mutable_bound(); });
  });
  const UniqueFd memory(memfd_create("test", MFD_CLOEXEC));
  // As a GPU's is: no file of memory.
  const UniqueFd other(open("/dev/null", O_RDWR | O_CLOEXEC));
  worker::Bind bind;
  bind.add_arenas()->set_size_bytes(4096);
  bind.add_arenas()->set_size_bytes(1 << 30);
  ASSERT_OK(session_->Bind(bind, {memory.get(), other.get()}, kPatience));
  EXPECT_THAT(record_.given_bytes, ElementsAre(4096, 4096));
}

TEST_F(RunnerSessionTest, RunGivesTheTimes) {
  const RunnerOutcome outcome = RunTwo([](const auto& request) {
    return Reply(request, [](worker::RunnerReply& reply) {
      reply.mutable_ran()->add_call_ns(0);
      reply.mutable_ran()->add_call_ns(7);
      reply.mutable_ran()->add_host_ns(2);
      reply.mutable_ran()->add_host_ns(9);
    });
  });
  EXPECT_EQ(outcome.kind, RunnerOutcome::kOk);
  EXPECT_THAT(outcome.ran.call_ns(), ElementsAre(0, 7));
  EXPECT_THAT(outcome.ran.host_ns(), ElementsAre(2, 9));
  EXPECT_GT(outcome.elapsed, absl::ZeroDuration());
  EXPECT_FALSE(record_.killed);
}

TEST_F(RunnerSessionTest, WorkOutsideOfCallsIsReported) {
  const RunnerOutcome outcome = RunTwo([](const auto& request) {
    return Reply(request, [](worker::RunnerReply& reply) {
      for (int i = 0; i < 2; ++i) {
        reply.mutable_ran()->add_call_ns(1);
        reply.mutable_ran()->add_host_ns(2);
        reply.mutable_ran()->add_outside_ns(i + 3);
      }
    });
  });
  EXPECT_EQ(outcome.kind, RunnerOutcome::kOk);
  EXPECT_THAT(outcome.ran.outside_ns(), ElementsAre(3, 4));
}

TEST_F(RunnerSessionTest, NoWorkOutsideOfCallsMayBeLeftOut) {
  const RunnerOutcome outcome = RunTwo([](const auto& request) {
    return Reply(request, [](worker::RunnerReply& reply) {
      for (int i = 0; i < 2; ++i) {
        reply.mutable_ran()->add_call_ns(1);
        reply.mutable_ran()->add_host_ns(2);
      }
    });
  });
  EXPECT_EQ(outcome.kind, RunnerOutcome::kOk);
  EXPECT_THAT(outcome.ran.outside_ns(), ElementsAre(0, 0));
}

TEST_F(RunnerSessionTest, PingGivesTheTimesOfOneCall) {
  Start([](const worker::RunnerRequest& request) {
    return Reply(request, [&](worker::RunnerReply& reply) {
      reply.mutable_ran()->add_call_ns(1);
      reply.mutable_ran()->add_host_ns(request.ping().flush_bytes());
    });
  });
  ASSERT_OK_AND_ASSIGN(const RunnerOutcome outcome,
                       session_->Ping(4096, kPatience));
  EXPECT_EQ(outcome.kind, RunnerOutcome::kOk) << outcome.detail;
  EXPECT_THAT(outcome.ran.host_ns(), ElementsAre(4096));
  EXPECT_GT(outcome.elapsed, absl::ZeroDuration());
}

TEST_F(RunnerSessionTest, PingWithoutTimesIsAViolation) {
  Start([](const auto& request) {
    return Reply(request, [](auto& reply) { reply.mutable_ran(); });
  });
  EXPECT_THAT(session_->Ping(0, kPatience).value(),
              BrokeProtocol("it reported 0 times for 1 calls"));
}

TEST_F(RunnerSessionTest, RunnerInThisProcessIsNotStopped) {
  StartSilent();
  EXPECT_FALSE(session_->frozen_between_requests());
}

TEST_F(RunnerSessionTest, SetUpNamesTheGpu) {
  Start([](const worker::RunnerRequest& request) {
    return Reply(request, [&](worker::RunnerReply& reply) {
      if (request.set_up().cuda_uuid() == "GPU-5") reply.mutable_set_up_done();
    });
  });
  worker::SetUp set_up;
  set_up.set_cuda_uuid("GPU-5");
  EXPECT_OK(session_->SetUp(set_up, kPatience));
  EXPECT_TRUE(session_->alive());
}

TEST_F(RunnerSessionTest, SetUpThatFailsIsAnError) {
  Start([](const auto& request) {
    return Reply(request, [](worker::RunnerReply& reply) {
      reply.mutable_failed()->set_kind(worker::Failed::INTERNAL);
      reply.mutable_failed()->set_message("no driver");
    });
  });
  EXPECT_THAT(session_->SetUp(worker::SetUp(), kPatience),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       "a runner did not open the GPU: no driver"));
}

TEST_F(RunnerSessionTest, DeathInSetUpIsAnErrorWithTheLog) {
  Start([](const auto&) { return ""; });
  EXPECT_THAT(session_->SetUp(worker::SetUp(), kPatience),
              StatusIs(absl::StatusCode::kUnavailable,
                       "a runner did not open the GPU: exit code 3; it printed "
                       "\"the log\""));
}

TEST_F(RunnerSessionTest, OtherReplyToSetUpIsAnError) {
  Start([](const auto& request) {
    return Reply(request, [](auto& reply) { reply.mutable_loaded(); });
  });
  EXPECT_THAT(
      session_->SetUp(worker::SetUp(), kPatience),
      StatusIs(absl::StatusCode::kUnavailable, HasSubstr("wrong kind")));
  EXPECT_FALSE(session_->alive());
}

TEST_F(RunnerSessionTest, LateSetUpIsAnError) {
  StartSilent();
  EXPECT_THAT(session_->SetUp(worker::SetUp(), absl::Milliseconds(1)),
              StatusIs(absl::StatusCode::kDeadlineExceeded,
                       HasSubstr("no answer within 1ms")));
  EXPECT_TRUE(record_.killed);
}

TEST_F(RunnerSessionTest, LoadSendsTheDescriptor) {
  Start([](const auto& request) {
    return Reply(request, [&](auto& reply) { reply.mutable_loaded(); });
  });
  ASSERT_OK_AND_ASSIGN(const UniqueFd fd, CreateMemFd("content", 1));
  ASSERT_OK_AND_ASSIGN(const RunnerOutcome outcome,
                       session_->Load(worker::Load(), fd.get(), kPatience));
  EXPECT_EQ(outcome.kind, RunnerOutcome::kOk);
}

TEST_F(RunnerSessionTest, FailureIsPassedOn) {
  const RunnerOutcome outcome =
      RunTwoFailing(worker::Failed::WRONG_SHAPE, 1, "too long");
  EXPECT_EQ(outcome.kind, RunnerOutcome::kFailed);
  EXPECT_EQ(outcome.failed.kind(), worker::Failed::WRONG_SHAPE);
  EXPECT_EQ(outcome.failed.call(), 1);
  EXPECT_EQ(outcome.failed.message(), "too long");
  EXPECT_FALSE(record_.killed);
}

TEST_F(RunnerSessionTest, LongFailureMessageIsCutBetweenCharacters) {
  std::string message = "xy";
  while (message.size() < 100000) message += "\xe2\x82\xac";
  const RunnerOutcome outcome =
      RunTwoFailing(worker::Failed::RAISED, 0, message);
  // The next character would end beyond 64 KiB.
  EXPECT_EQ(outcome.failed.message(), message.substr(0, 2 + 3 * 21844));
}

TEST_F(RunnerSessionTest, FailureInACallThatWasNotAskedForIsAViolation) {
  EXPECT_THAT(RunTwoFailing(worker::Failed::RAISED, 2, ""),
              BrokeProtocol("it reported a failure in call 2 of 2"));
  EXPECT_TRUE(record_.killed);
}

TEST_F(RunnerSessionTest, FailureOfNoKindIsAViolation) {
  EXPECT_THAT(RunTwoFailing(worker::Failed::KIND_UNSPECIFIED, 0, ""),
              BrokeProtocol("it reported a failure of kind 0"));
}

TEST_F(RunnerSessionTest, FailureOfAnUnknownKindIsAViolation) {
  EXPECT_THAT(RunTwoFailing(static_cast<worker::Failed::Kind>(99), 0, ""),
              BrokeProtocol("it reported a failure of kind 99"));
}

TEST_F(RunnerSessionTest, MalformedReplyIsAViolation) {
  EXPECT_THAT(RunTwo([](const auto&) { return "\xff\xff"; }),
              BrokeProtocol("it sent something that is no reply"));
  EXPECT_TRUE(record_.killed);
}

TEST_F(RunnerSessionTest, OtherAttemptIsAViolation) {
  EXPECT_THAT(RunTwo([](const auto&) {
                worker::RunnerReply reply;
                reply.set_attempt("att-0");
                reply.mutable_ran();
                return reply.SerializeAsString();
              }),
              BrokeProtocol("it answered another request than the one it got"));
}

TEST_F(RunnerSessionTest, WrongKindOfReplyIsAViolation) {
  EXPECT_THAT(RunTwo([](const auto& request) {
                return Reply(request,
                             [](auto& reply) { reply.mutable_bound(); });
              }),
              BrokeProtocol("its reply is of the wrong kind"));
}

TEST_F(RunnerSessionTest, EmptyReplyIsAViolation) {
  EXPECT_THAT(
      RunTwo([](const auto& request) { return Reply(request, [](auto&) {}); }),
      BrokeProtocol("its reply is of the wrong kind"));
}

TEST_F(RunnerSessionTest, WrongNumberOfTimesIsAViolation) {
  EXPECT_THAT(RunTwo([](const auto& request) {
                return Reply(request, [](worker::RunnerReply& reply) {
                  reply.mutable_ran()->add_call_ns(1);
                });
              }),
              BrokeProtocol("it reported 1 times for 2 calls"));
}

TEST_F(RunnerSessionTest, MissingHostTimesAreAViolation) {
  EXPECT_THAT(RunTwo([](const auto& request) {
                return Reply(request, [](worker::RunnerReply& reply) {
                  reply.mutable_ran()->add_call_ns(1);
                  reply.mutable_ran()->add_call_ns(1);
                });
              }),
              BrokeProtocol("it reported 0 times for 2 calls"));
}

TEST_F(RunnerSessionTest, NegativeHostTimeIsAViolation) {
  EXPECT_THAT(RunTwo([](const auto& request) {
                return Reply(request, [](worker::RunnerReply& reply) {
                  for (int i = 0; i < 2; ++i) {
                    reply.mutable_ran()->add_call_ns(1);
                    reply.mutable_ran()->add_host_ns(-2);
                  }
                });
              }),
              BrokeProtocol("it reported a time of -2 ns"));
}

TEST_F(RunnerSessionTest, WorkOutsideOfSomeCallsOnlyIsAViolation) {
  EXPECT_THAT(RunTwo([](const auto& request) {
                return Reply(request, [](worker::RunnerReply& reply) {
                  for (int i = 0; i < 2; ++i) {
                    reply.mutable_ran()->add_call_ns(1);
                    reply.mutable_ran()->add_host_ns(2);
                  }
                  reply.mutable_ran()->add_outside_ns(1);
                });
              }),
              BrokeProtocol("it reported 1 times for 2 calls"));
}

TEST_F(RunnerSessionTest, NegativeTimeOutsideOfCallsIsAViolation) {
  EXPECT_THAT(RunTwo([](const auto& request) {
                return Reply(request, [](worker::RunnerReply& reply) {
                  for (int i = 0; i < 2; ++i) {
                    reply.mutable_ran()->add_call_ns(1);
                    reply.mutable_ran()->add_host_ns(2);
                    reply.mutable_ran()->add_outside_ns(-3);
                  }
                });
              }),
              BrokeProtocol("it reported a time of -3 ns"));
}

TEST_F(RunnerSessionTest, NegativeTimeIsAViolation) {
  EXPECT_THAT(RunTwo([](const auto& request) {
                return Reply(request, [](worker::RunnerReply& reply) {
                  reply.mutable_ran()->add_call_ns(1);
                  reply.mutable_ran()->add_call_ns(-1);
                });
              }),
              BrokeProtocol("it reported a time of -1 ns"));
}

TEST_F(RunnerSessionTest, InvalidUtf8InAFailureIsAViolation) {
  EXPECT_THAT(RunTwo([](const auto& request) {
                std::string reply =
                    Reply(request, [](worker::RunnerReply& filled) {
                      filled.mutable_failed()->set_kind(worker::Failed::RAISED);
                      filled.mutable_failed()->set_message("MARK");
                    });
                reply.replace(reply.find("MARK"), 4, "\xff\xfe\xfd\xfc");
                return reply;
              }),
              BrokeProtocol("it sent something that is no reply"));
}

TEST_F(RunnerSessionTest, HangingUpIsADeath) {
  const RunnerOutcome outcome = RunTwo([](const auto&) { return ""; });
  EXPECT_EQ(outcome.kind, RunnerOutcome::kDied);
  EXPECT_EQ(outcome.detail, "exit code 3");
}

TEST_F(RunnerSessionTest, HangingUpWithoutEndingIsADeathToo) {
  record_.end = "";
  const RunnerOutcome outcome = RunTwo([](const auto&) { return ""; });
  EXPECT_EQ(outcome.kind, RunnerOutcome::kDied);
  EXPECT_EQ(outcome.detail, "it closed its connection to the worker");
  EXPECT_TRUE(record_.killed);
}

TEST_F(RunnerSessionTest, NothingMoreIsAskedAfterTheEnd) {
  ASSERT_EQ(RunTwo([](const auto&) { return ""; }).kind, RunnerOutcome::kDied);
  EXPECT_THAT(session_->Run(worker::Run(), kPatience),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       HasSubstr("exit code 3")));
}

TEST_F(RunnerSessionTest, LateAnswerIsATimeout) {
  StartSilent();
  ASSERT_OK_AND_ASSIGN(const RunnerOutcome outcome,
                       session_->Run(worker::Run(), absl::Milliseconds(1)));
  EXPECT_EQ(outcome.kind, RunnerOutcome::kTimeout);
  EXPECT_EQ(outcome.detail, "no answer within 1ms");
  EXPECT_TRUE(record_.killed);
}

TEST_F(RunnerSessionTest, RunnerThatReadsNothingIsATimeout) {
  StartSilent();
  worker::Load load;
  // A descriptor that cannot be sent would be another error.
  ASSERT_OK_AND_ASSIGN(const UniqueFd fd, CreateMemFd("content", 1));
  const int bytes = 4096;
  ASSERT_EQ(
      setsockopt(worker_fd_, SOL_SOCKET, SO_SNDBUF, &bytes, sizeof(bytes)), 0);
  while (send(worker_fd_, "x", 1, MSG_DONTWAIT) == 1) {
  }
  ASSERT_OK_AND_ASSIGN(const RunnerOutcome outcome,
                       session_->Load(load, fd.get(), absl::Milliseconds(1)));
  EXPECT_EQ(outcome.kind, RunnerOutcome::kTimeout);
  EXPECT_EQ(outcome.detail, "no answer within 1ms");
  EXPECT_TRUE(record_.killed);
}

TEST_F(RunnerSessionTest, RequestThatIsTooLargeIsAnError) {
  StartSilent();
  worker::Load load;
  load.set_symbol(std::string(SeqPacketSocket::kMaxMessageBytes, 'x'));
  EXPECT_THAT(session_->Load(load, 0, kPatience),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("asking a runner: a message of")));
}

TEST_F(RunnerSessionTest, LostRunnerIsAnError) {
  record_.end = absl::UnavailableError("the launcher is gone");
  Start([](const auto&) { return ""; });
  EXPECT_THAT(session_->Run(worker::Run(), kPatience),
              StatusIs(absl::StatusCode::kUnavailable,
                       HasSubstr("a runner is lost: the launcher is gone")));
  EXPECT_FALSE(session_->alive());
}

TEST_F(RunnerSessionTest, RunnerLostBeforeItsGreetingIsAnError) {
  record_.end = absl::UnavailableError("the launcher is gone");
  auto ends = SeqPacketSocket::Pair().value();
  ends.second.ReleaseFd();
  EXPECT_THAT(
      RunnerSession::Connect(std::move(ends.first),
                             std::make_unique<FakeProcess>(record_), kPatience),
      StatusIs(absl::StatusCode::kUnavailable, "the launcher is gone"));
}

TEST_F(RunnerSessionTest, IsAliveAfterAnAnswer) {
  EXPECT_EQ(RunTwoFailing(worker::Failed::RAISED, 0, "").kind,
            RunnerOutcome::kFailed);
  EXPECT_TRUE(session_->alive());
}

TEST_F(RunnerSessionTest, IsNotAliveAfterATimeout) {
  StartSilent();
  ASSERT_OK(session_->Run(worker::Run(), absl::Milliseconds(1)));
  EXPECT_FALSE(session_->alive());
}

TEST_F(RunnerSessionTest, IsNotAliveAfterADeath) {
  ASSERT_EQ(RunTwo([](const auto&) { return ""; }).kind, RunnerOutcome::kDied);
  EXPECT_FALSE(session_->alive());
}

TEST_F(RunnerSessionTest, IsNotAliveAfterAViolation) {
  RunTwo([](const auto&) { return "\xff\xff"; });
  EXPECT_FALSE(session_->alive());
}

TEST_F(RunnerSessionTest, IsNotAliveAfterKill) {
  StartSilent();
  ASSERT_TRUE(session_->alive());
  std::thread([this] { session_->Kill(); }).join();
  EXPECT_FALSE(session_->alive());
}

TEST_F(RunnerSessionTest, IsNotAliveAfterTakeLog) {
  StartSilent();
  session_->TakeLog();
  EXPECT_FALSE(session_->alive());
}

TEST_F(RunnerSessionTest, IsAliveWhileNothingWasAsked) {
  StartSilent();
  EXPECT_TRUE(session_->alive());
}

TEST_F(RunnerSessionTest, IsNotAliveWhenTheRunnerDiedUnasked) {
  StartSilent();
  runner_end_.reset();
  EXPECT_FALSE(session_->alive());
  // Whoever asks all the same is told how it ended.
  EXPECT_EQ(session_->Run(worker::Run(), kPatience).value().kind,
            RunnerOutcome::kDied);
}

TEST_F(RunnerSessionTest, LogIsGivenOnce) {
  Start([](const auto&) { return ""; });
  EXPECT_EQ(session_->TakeLog(), "the log");
  EXPECT_THAT(session_->TakeLog(), IsEmpty());
}

TEST_F(RunnerSessionTest, EndOfTheSessionKills) {
  Start([](const auto&) { return ""; });
  session_.reset();
  EXPECT_TRUE(record_.killed);
}

TEST_F(RunnerSessionTest, NoGreetingInTimeIsAnError) {
  auto ends = SeqPacketSocket::Pair().value();
  EXPECT_THAT(RunnerSession::Connect(std::move(ends.first),
                                     std::make_unique<FakeProcess>(record_),
                                     absl::Milliseconds(1)),
              StatusIs(absl::StatusCode::kDeadlineExceeded,
                       HasSubstr("did not start within 1ms")));
  EXPECT_TRUE(record_.killed);
}

TEST_F(RunnerSessionTest, EndBeforeTheGreetingIsAnErrorWithTheLog) {
  auto ends = SeqPacketSocket::Pair().value();
  ends.second.ReleaseFd();
  EXPECT_THAT(
      RunnerSession::Connect(std::move(ends.first),
                             std::make_unique<FakeProcess>(record_), kPatience),
      StatusIs(absl::StatusCode::kUnavailable,
               HasSubstr("exit code 3; it printed \"the log\"")));
}

}  // namespace
}  // namespace assay
