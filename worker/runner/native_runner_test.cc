#include "worker/runner/native_runner.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/time/clock.h"
#include "base/status_testing.h"
#include "worker/launcher/launcher_testing.h"
#include "worker/runner/runner_testing.h"
#include "worker/sandbox/control_group.h"
#include "worker/sandbox/group_files_testing.h"

namespace assay {
namespace {

using ::testing::AllOf;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::Ge;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;
using ::testing::StartsWith;

constexpr absl::Duration kPatience = absl::Seconds(60);

// What the solution of testdata/c_modes.cc does.
enum Mode {
  kDouble,
  kReturnSeven,
  kThrow,
  kSegfault,
  kLoop,
  kExitZero,
  kAbort,
  kPrintMegabyte,
  kCloseControl,
  kWriteGarbage,
  kWriteInput,
  kPrintWithoutNewline,
  kCountInBackground,
  kLeaveChild,
  kLeaveOrphan,
  kLeaveNothing,
  kAnswerFromChild,
  kWakeItself,
  kLookIntoRunner,
  kCannotBeStopped,
  kWakeToSpin,
};

class NativeRunnerTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    launcher_ = StartTestLauncher().value().release();
    SandboxOptions options;
    options.enter_path = TestDataPath("worker/sandbox/assay-enter");
    sandbox_ = new Sandbox(
        Sandbox::Create(SandboxMode::kStrict, *launcher_, options).value());
  }
  static void TearDownTestSuite() {
    delete sandbox_;
    delete launcher_;
  }

  static std::unique_ptr<RunnerSession> Start() {
    NativeRunnerOptions options;
    options.runner_path = TestDataPath("worker/runner/assay-runner");
    const std::string tvm_ffi = TestDataPath("../tvm_ffi/lib/libtvm_ffi.so");
    options.readable_paths = {tvm_ffi};
    options.env = {"LD_LIBRARY_PATH=" + tvm_ffi.substr(0, tvm_ffi.rfind('/'))};
    options.start_timeout = kPatience;
    return StartNativeRunner(*launcher_, *sandbox_, options).value();
  }

  static RunnerOutcome LoadLibrary(RunnerSession& session,
                                   const worker::Load& load,
                                   const std::string& path) {
    const UniqueFd fd(open(TestDataPath(path).c_str(), O_RDONLY | O_CLOEXEC));
    return session.Load(load, fd.get(), kPatience).value();
  }

  // Starts testdata/c_modes.cc with x = (1, 2, 3).
  void StartMode(Mode mode) {
    session_ = Start();
    worker::Load load;
    load.set_kind(worker::Load::NATIVE_C);
    load.set_symbol("modes");
    load.set_destination_passing(true);
    *load.add_inputs() = TensorSpecNamed("x", v1::DTYPE_FLOAT32);
    *load.add_inputs() = ScalarSpecNamed("mode", v1::DTYPE_INT64);
    *load.add_outputs() = TensorSpecNamed("y", v1::DTYPE_FLOAT32);
    ASSERT_EQ(LoadLibrary(*session_, load, "worker/runner/libc_modes.so").kind,
              RunnerOutcome::kOk);
    memory_.Input<float>(v1::DTYPE_FLOAT32, {3}, {1, 2, 3});
    memory_.InputInt(mode);
    memory_.Output<float>(v1::DTYPE_FLOAT32, {3}, {0, 0, 0});
    Bind();
  }

  // Starts a function of testdata/tvm_ffi_functions.cc with x = (1, 2, 3),
  // factor = 4 and as many outputs as `outputs`.
  RunnerOutcome LoadFunction(const std::string& symbol,
                             bool destination_passing, int outputs = 1) {
    session_ = Start();
    worker::Load load;
    load.set_kind(worker::Load::NATIVE_TVM_FFI);
    load.set_symbol(symbol);
    load.set_destination_passing(destination_passing);
    *load.add_inputs() = TensorSpecNamed("x", v1::DTYPE_FLOAT32);
    *load.add_inputs() = ScalarSpecNamed("factor", v1::DTYPE_FLOAT32);
    for (int i = 0; i < outputs; ++i) {
      *load.add_outputs() =
          TensorSpecNamed("y" + std::to_string(i), v1::DTYPE_FLOAT32);
    }
    memory_.Input<float>(v1::DTYPE_FLOAT32, {3}, {1, 2, 3});
    memory_.InputFloat(4);
    return LoadLibrary(*session_, load,
                       "worker/runner/libtvm_ffi_functions.so");
  }

  void StartFunction(const std::string& symbol, bool destination_passing,
                     int outputs = 1) {
    const RunnerOutcome loaded =
        LoadFunction(symbol, destination_passing, outputs);
    ASSERT_EQ(loaded.kind, RunnerOutcome::kOk) << loaded.failed.message();
    for (int i = 0; i < outputs; ++i) {
      memory_.Output<float>(v1::DTYPE_FLOAT32, {3}, {0, 0, 0});
    }
    Bind();
  }

  void Bind() {
    ASSERT_OK_AND_ASSIGN(
        const RunnerOutcome bound,
        session_->Bind(memory_.bind(), memory_.fds(), kPatience));
    ASSERT_EQ(bound.kind, RunnerOutcome::kOk) << bound.failed.message();
  }

  RunnerOutcome Run(int calls = 1, absl::Duration timeout = kPatience) {
    return session_->Run(RunFirst(calls), timeout).value();
  }

  static Launcher* launcher_;
  static Sandbox* sandbox_;
  TestMemory memory_;
  std::unique_ptr<RunnerSession> session_;
};

Launcher* NativeRunnerTest::launcher_ = nullptr;
Sandbox* NativeRunnerTest::sandbox_ = nullptr;

TEST_F(NativeRunnerTest, CallsAndTimesEachCall) {
  StartMode(kDouble);
  const RunnerOutcome outcome = Run(5);
  ASSERT_EQ(outcome.kind, RunnerOutcome::kOk) << outcome.failed.message();
  EXPECT_THAT(outcome.ran.call_ns(), SizeIs(5));
  EXPECT_THAT(outcome.ran.call_ns(), Each(Ge(0)));
  EXPECT_THAT(memory_.ReadOutput<float>(0, 3), ElementsAre(2, 4, 6));
}

TEST_F(NativeRunnerTest, FlushesBeforeEachCall) {
  StartMode(kDouble);
  worker::Run run = RunFirst(3);
  run.set_flush_bytes(1 << 20);
  EXPECT_EQ(session_->Run(run, kPatience)->kind, RunnerOutcome::kOk);
}

TEST_F(NativeRunnerTest, BindsAgain) {
  StartMode(kDouble);
  EXPECT_EQ(Run().kind, RunnerOutcome::kOk);
  TestMemory other;
  other.Input<float>(v1::DTYPE_FLOAT32, {2}, {10, 20});
  other.InputInt(kDouble);
  other.Output<float>(v1::DTYPE_FLOAT32, {2}, {0, 0});
  EXPECT_EQ(session_->Bind(other.bind(), other.fds(), kPatience)->kind,
            RunnerOutcome::kOk);
  EXPECT_EQ(Run().kind, RunnerOutcome::kOk);
  EXPECT_THAT(other.ReadOutput<float>(0, 2), ElementsAre(20, 40));
}

TEST_F(NativeRunnerTest, OtherProcessesOfItsUserCannotLookIntoIt) {
  StartMode(kLookIntoRunner);
  const RunnerOutcome outcome = Run();
  EXPECT_EQ(outcome.kind, RunnerOutcome::kOk) << outcome.failed.message();
}

TEST_F(NativeRunnerTest, IsInAControlGroupThatEndsWithIt) {
  FakeGroups files;
  SandboxOptions options;
  ASSERT_OK_AND_ASSIGN(
      options.groups,
      ControlGroups::Create(std::make_unique<FakeGroupFiles>(files),
                            PlaceIn(files)));
  options.memory_bytes = int64_t{1} << 30;
  ASSERT_OK_AND_ASSIGN(
      const Sandbox sandbox,
      Sandbox::Create(SandboxMode::kStrict, *launcher_, options));
  NativeRunnerOptions runner;
  runner.runner_path = TestDataPath("worker/runner/assay-runner");
  ASSERT_OK_AND_ASSIGN(session_,
                       StartNativeRunner(*launcher_, sandbox, runner));
  const std::string group = SandboxGroup(1);
  EXPECT_EQ(files.Get(group + "/memory.max"), "1073741824");
  // What the kernel says is why it ended.
  files.Set(group + "/memory.events", "oom_kill 1\n");
  const auto outcome = session_->Ping(0, kPatience, kPatience);
  ASSERT_OK(outcome);
  EXPECT_EQ(outcome->detail,
            "it was stopped because it used more than 1024 MiB of memory, "
            "which is the limit");
  session_.reset();
  // Once nobody watches it any more.
  while (files.Get(group + "/cgroup.procs") != "(none)") {
    absl::SleepFor(absl::Milliseconds(1));
  }
}

TEST_F(NativeRunnerTest, ErrorCodeFails) {
  StartMode(kReturnSeven);
  const RunnerOutcome outcome = Run(3);
  EXPECT_EQ(outcome.kind, RunnerOutcome::kFailed);
  EXPECT_EQ(outcome.failed.kind(), worker::Failed::RAISED);
  EXPECT_EQ(outcome.failed.message(),
            "the entry point \"modes\" returned 7; 0 means success");
}

TEST_F(NativeRunnerTest, ExceptionFailsWithItsTextAsUtf8) {
  StartMode(kThrow);
  const RunnerOutcome outcome = Run();
  EXPECT_EQ(outcome.kind, RunnerOutcome::kFailed);
  EXPECT_EQ(outcome.failed.message(),
            "the entry point \"modes\" threw an exception: out of "
            "\xef\xbf\xbd luck");
}

TEST_F(NativeRunnerTest, GoesOnAfterAFailedCall) {
  StartMode(kReturnSeven);
  EXPECT_EQ(Run().kind, RunnerOutcome::kFailed);
  EXPECT_EQ(Run().kind, RunnerOutcome::kFailed);
}

TEST_F(NativeRunnerTest, SegmentationFaultDies) {
  StartMode(kSegfault);
  const RunnerOutcome outcome = Run();
  EXPECT_EQ(outcome.kind, RunnerOutcome::kDied);
  EXPECT_THAT(outcome.detail, HasSubstr("signal 11 (segmentation fault)"));
}

TEST_F(NativeRunnerTest, AbortDies) {
  StartMode(kAbort);
  const RunnerOutcome outcome = Run();
  EXPECT_EQ(outcome.kind, RunnerOutcome::kDied);
  EXPECT_THAT(outcome.detail, HasSubstr("signal 6"));
}

TEST_F(NativeRunnerTest, ExitZeroIsNoAnswer) {
  StartMode(kExitZero);
  const RunnerOutcome outcome = Run();
  EXPECT_EQ(outcome.kind, RunnerOutcome::kDied);
  EXPECT_EQ(outcome.detail, "exit code 0");
}

TEST_F(NativeRunnerTest, EndlessLoopTimesOutAndTheNextSessionWorks) {
  StartMode(kLoop);
  const RunnerOutcome outcome = Run(1, absl::Milliseconds(200));
  EXPECT_EQ(outcome.kind, RunnerOutcome::kTimeout);
  EXPECT_EQ(outcome.detail, "no answer within 200ms");
  EXPECT_THAT(session_->Run(RunFirst(1), kPatience),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       HasSubstr("no answer within 200ms")));
  memory_ = TestMemory();
  StartMode(kDouble);
  EXPECT_EQ(Run().kind, RunnerOutcome::kOk);
}

TEST_F(NativeRunnerTest, LongOutputIsCut) {
  StartMode(kPrintMegabyte);
  EXPECT_EQ(Run().kind, RunnerOutcome::kOk);
  const std::string log = session_->TakeLog();
  EXPECT_THAT(log, StartsWith("xxxx"));
  EXPECT_THAT(log, HasSubstr("bytes cut"));
  EXPECT_LT(log.size(), size_t{100} << 10);
}

TEST_F(NativeRunnerTest, OutputWithoutNewlineIsKept) {
  StartMode(kPrintWithoutNewline);
  EXPECT_EQ(Run().kind, RunnerOutcome::kOk);
  EXPECT_EQ(session_->TakeLog(), "no newline");
}

TEST_F(NativeRunnerTest, ClosedControlSocketDies) {
  StartMode(kCloseControl);
  const RunnerOutcome outcome = Run();
  EXPECT_EQ(outcome.kind, RunnerOutcome::kDied);
  EXPECT_EQ(outcome.detail, "it closed its connection to the worker");
}

TEST_F(NativeRunnerTest, GarbageOnTheControlSocketDies) {
  StartMode(kWriteGarbage);
  const RunnerOutcome outcome = Run();
  EXPECT_EQ(outcome.kind, RunnerOutcome::kDied);
  EXPECT_EQ(outcome.detail,
            "broke the runner protocol: it sent something that is no reply");
}

TEST_F(NativeRunnerTest, WriteToInputDies) {
  StartMode(kWriteInput);
  const RunnerOutcome outcome = Run();
  EXPECT_EQ(outcome.kind, RunnerOutcome::kDied);
  EXPECT_THAT(outcome.detail, HasSubstr("signal 11"));
}

TEST_F(NativeRunnerTest, KillFromAnotherThreadEndsACall) {
  StartMode(kLoop);
  std::thread killer([this] { session_->Kill(); });
  EXPECT_EQ(Run().kind, RunnerOutcome::kDied);
  killer.join();
}

TEST_F(NativeRunnerTest, NothingOfASolutionRunsBetweenRequests) {
  StartMode(kCountInBackground);
  EXPECT_TRUE(session_->frozen_between_requests());
  for (int i = 0; i < 3; ++i) {
    // It counts while there is a request.
    ASSERT_EQ(Run().kind, RunnerOutcome::kOk);
    const std::vector<float> before = memory_.ReadOutput<float>(0, 3);
    absl::SleepFor(absl::Milliseconds(30));
    EXPECT_EQ(memory_.ReadOutput<float>(0, 3), before);
  }
}

TEST_F(NativeRunnerTest, TrustedRunnerGoesOnBetweenRequests) {
  StartMode(kCountInBackground);
  ASSERT_EQ(Run().kind, RunnerOutcome::kOk);
  session_->TrustRunner();
  EXPECT_FALSE(session_->frozen_between_requests());
  for (int i = 0; i < 2; ++i) {
    const std::vector<float> before = memory_.ReadOutput<float>(0, 3);
    // Ends because it counts on.
    while (memory_.ReadOutput<float>(0, 3) == before) {
      absl::SleepFor(absl::Milliseconds(1));
    }
    ASSERT_EQ(Run().kind, RunnerOutcome::kOk);
  }
}

TEST_F(NativeRunnerTest, RunnerThatHasItselfWokenBreaksTheProtocol) {
  StartMode(kWakeItself);
  RunnerOutcome outcome = Run();
  // It may take a few times until it is believed.
  for (int i = 0; i < 10 && outcome.kind == RunnerOutcome::kOk; ++i) {
    absl::SleepFor(absl::Milliseconds(50));
    outcome = Run();
  }
  EXPECT_EQ(outcome.kind, RunnerOutcome::kDied);
  EXPECT_EQ(outcome.detail,
            "broke the runner protocol: it had itself woken while it was "
            "stopped");
  EXPECT_TRUE(outcome.woke_itself);
  EXPECT_GE(session_->TakePauses().pauses, 3);
}

TEST_F(NativeRunnerTest, ProcessorTimeInPausesIsCounted) {
  StartMode(kWakeToSpin);
  PauseRecord record;
  // A signal that is under way when the process is stopped is lost.
  for (int i = 0; i < 30 && record.broken == 0; ++i) {
    ASSERT_EQ(Run().kind, RunnerOutcome::kOk);
    absl::SleepFor(absl::Milliseconds(50));
    // Has it go on.
    ASSERT_OK(session_->Ping(0, kPatience));
    record = session_->TakePauses();
  }
  EXPECT_EQ(record.broken, 1);
  EXPECT_GE(record.pauses, 2);
  EXPECT_GT(record.cpu_time, absl::Milliseconds(1));
  EXPECT_EQ(record.cpu_time_of_others, absl::ZeroDuration());
  EXPECT_EQ(session_->TakePauses().pauses, 0);
}

TEST_F(NativeRunnerTest, HonestRunnersStandStillInPauses) {
  StartMode(kCountInBackground);
  for (int i = 0; i < 20; ++i) ASSERT_EQ(Run().kind, RunnerOutcome::kOk);
  EXPECT_EQ(session_->TakePauses().broken, 0);
}

TEST_F(NativeRunnerTest, RunnerThatCannotBeStoppedBreaksTheProtocol) {
  StartMode(kCannotBeStopped);
  const RunnerOutcome outcome = Run();
  EXPECT_EQ(outcome.kind, RunnerOutcome::kDied);
  EXPECT_THAT(outcome.detail,
              AllOf(HasSubstr("it could not be stopped within 5s of its "
                              "answer: thread "),
                    HasSubstr(" (assay-runner) in state D")));
  // All of it is gone, and the worker has not waited long for that.
  EXPECT_FALSE(session_->alive());
  EXPECT_EQ(session_->TakeLog(), "");
}

TEST_F(NativeRunnerTest, OnlyTheRunnerItselfMayAnswer) {
  StartMode(kAnswerFromChild);
  const RunnerOutcome outcome = Run();
  EXPECT_EQ(outcome.kind, RunnerOutcome::kDied);
  EXPECT_EQ(outcome.detail,
            "broke the runner protocol: another process than the runner "
            "answered");
}

TEST_F(NativeRunnerTest, NoProcessIsLeftByAnOrdinaryCall) {
  StartMode(kDouble);
  const RunnerOutcome outcome = Run();
  EXPECT_EQ(outcome.kind, RunnerOutcome::kOk);
  EXPECT_EQ(outcome.processes_left, 0);
  EXPECT_EQ(outcome.left_names, "");
}

TEST_F(NativeRunnerTest, ProcessesThatACallLeftAreCounted) {
  StartMode(kLeaveChild);
  EXPECT_EQ(Run().processes_left, 1);
  const RunnerOutcome outcome = Run(2);
  EXPECT_EQ(outcome.kind, RunnerOutcome::kOk);
  EXPECT_EQ(outcome.processes_left, 3);
  EXPECT_EQ(outcome.left_names, "assay-runner, assay-runner, assay-runner");
}

TEST_F(NativeRunnerTest, OrphansThatACallLeftAreCounted) {
  StartMode(kLeaveOrphan);
  const RunnerOutcome outcome = Run();
  EXPECT_EQ(outcome.processes_left, 1);
  EXPECT_EQ(outcome.left_names, "assay-runner");
}

TEST_F(NativeRunnerTest, ProcessesThatAreOverAreNotCounted) {
  StartMode(kLeaveNothing);
  EXPECT_EQ(Run().processes_left, 0);
}

TEST_F(NativeRunnerTest, PingNeedsNoSolution) {
  session_ = Start();
  for (const int64_t flush_bytes : {0, 1 << 20}) {
    ASSERT_OK_AND_ASSIGN(const RunnerOutcome outcome,
                         session_->Ping(flush_bytes, kPatience));
    ASSERT_EQ(outcome.kind, RunnerOutcome::kOk) << outcome.failed.message();
    EXPECT_THAT(outcome.ran.call_ns(), SizeIs(1));
    EXPECT_GE(outcome.elapsed, absl::Nanoseconds(outcome.ran.host_ns(0)));
  }
}

TEST_F(NativeRunnerTest, PingBetweenCallsCallsNothing) {
  StartMode(kLeaveChild);
  ASSERT_EQ(Run().processes_left, 1);
  EXPECT_EQ(session_->Ping(0, kPatience)->kind, RunnerOutcome::kOk);
  EXPECT_EQ(Run().processes_left, 2);
}

TEST_F(NativeRunnerTest, LibraryThatIsNoneFailsToLoad) {
  session_ = Start();
  worker::Load load;
  load.set_kind(worker::Load::NATIVE_C);
  load.set_destination_passing(true);
  const RunnerOutcome outcome =
      LoadLibrary(*session_, load, "worker/runner/testdata/c_modes.cc");
  EXPECT_EQ(outcome.kind, RunnerOutcome::kFailed);
  EXPECT_EQ(outcome.failed.kind(), worker::Failed::LOAD);
  EXPECT_THAT(outcome.failed.message(),
              StartsWith("the library cannot be loaded: library: "));
}

TEST_F(NativeRunnerTest, ReturningStyleWithBindingCFailsToLoad) {
  session_ = Start();
  worker::Load load;
  load.set_kind(worker::Load::NATIVE_C);
  const RunnerOutcome outcome =
      LoadLibrary(*session_, load, "worker/runner/libc_modes.so");
  EXPECT_EQ(outcome.failed.kind(), worker::Failed::LOAD);
  EXPECT_THAT(outcome.failed.message(),
              HasSubstr("\"destination_passing_style\""));
}

TEST_F(NativeRunnerTest, PythonIsRefused) {
  session_ = Start();
  worker::Load load;
  load.set_kind(worker::Load::PYTHON);
  const RunnerOutcome outcome =
      LoadLibrary(*session_, load, "worker/runner/libc_modes.so");
  EXPECT_EQ(outcome.failed.kind(), worker::Failed::INTERNAL);
}

TEST_F(NativeRunnerTest, TensorOutsideItsArenaIsRefused) {
  StartMode(kDouble);
  memory_.bind()
      .mutable_draws(0)
      ->mutable_values(0)
      ->mutable_tensor()
      ->set_shape(0, int64_t{1} << 40);
  ASSERT_OK_AND_ASSIGN(
      const RunnerOutcome bound,
      session_->Bind(memory_.bind(), memory_.fds(), kPatience));
  EXPECT_EQ(bound.kind, RunnerOutcome::kFailed);
  EXPECT_EQ(bound.failed.kind(), worker::Failed::INTERNAL);
  EXPECT_THAT(bound.failed.message(), HasSubstr("does not fit an arena"));
}

TEST_F(NativeRunnerTest, DrawThatDoesNotExistIsRefused) {
  StartMode(kDouble);
  worker::Run run = RunFirst(2);
  run.mutable_calls(1)->set_draw(-1);
  ASSERT_OK_AND_ASSIGN(const RunnerOutcome outcome,
                       session_->Run(run, kPatience));
  EXPECT_EQ(outcome.failed.kind(), worker::Failed::INTERNAL);
  EXPECT_EQ(outcome.failed.call(), 1);
}

TEST_F(NativeRunnerTest, TvmFfiFillsItsArguments) {
  StartFunction("scale", /*destination_passing=*/true);
  const RunnerOutcome outcome = Run(2);
  ASSERT_EQ(outcome.kind, RunnerOutcome::kOk) << outcome.failed.message();
  EXPECT_THAT(memory_.ReadOutput<float>(0, 3), ElementsAre(4, 8, 12));
}

TEST_F(NativeRunnerTest, TvmFfiReturnsATensor) {
  StartFunction("scale_returned", /*destination_passing=*/false);
  const RunnerOutcome outcome = Run(2);
  ASSERT_EQ(outcome.kind, RunnerOutcome::kOk) << outcome.failed.message();
  EXPECT_THAT(memory_.ReadOutput<float>(0, 3), ElementsAre(4, 8, 12));
}

TEST_F(NativeRunnerTest, TvmFfiReturnsAnArray) {
  StartFunction("scale_pair", /*destination_passing=*/false, /*outputs=*/2);
  const RunnerOutcome outcome = Run();
  ASSERT_EQ(outcome.kind, RunnerOutcome::kOk) << outcome.failed.message();
  EXPECT_THAT(memory_.ReadOutput<float>(0, 3), ElementsAre(4, 8, 12));
  EXPECT_THAT(memory_.ReadOutput<float>(1, 3), ElementsAre(-4, -8, -12));
}

TEST_F(NativeRunnerTest, TvmFfiReturnsANumberForA0DOutput) {
  ASSERT_EQ(LoadFunction("sum", /*destination_passing=*/false).kind,
            RunnerOutcome::kOk);
  memory_.Output<float>(v1::DTYPE_FLOAT32, {}, {0});
  Bind();
  const RunnerOutcome outcome = Run();
  ASSERT_EQ(outcome.kind, RunnerOutcome::kOk) << outcome.failed.message();
  EXPECT_THAT(memory_.ReadOutput<float>(0, 1), ElementsAre(24));
}

TEST_F(NativeRunnerTest, TvmFfiWrongNumberOfOutputs) {
  StartFunction("scale_pair", /*destination_passing=*/false);
  const RunnerOutcome outcome = Run();
  EXPECT_EQ(outcome.failed.kind(), worker::Failed::WRONG_OUTPUTS);
  EXPECT_THAT(outcome.failed.message(), HasSubstr("1 outputs, but 2"));
}

TEST_F(NativeRunnerTest, TvmFfiWrongShape) {
  StartFunction("wrong_shape", /*destination_passing=*/false);
  const RunnerOutcome outcome = Run();
  EXPECT_EQ(outcome.failed.kind(), worker::Failed::WRONG_SHAPE);
  EXPECT_EQ(outcome.failed.message(),
            "output \"y0\" must be float32[3], but float32[4] was returned");
}

TEST_F(NativeRunnerTest, TvmFfiWrongDtype) {
  StartFunction("wrong_dtype", /*destination_passing=*/false);
  const RunnerOutcome outcome = Run();
  EXPECT_EQ(outcome.failed.kind(), worker::Failed::WRONG_DTYPE);
  EXPECT_EQ(outcome.failed.message(),
            "output \"y0\" must be float32[3], but float64[3] was returned");
}

TEST_F(NativeRunnerTest, TvmFfiReturnsNothing) {
  StartFunction("nothing", /*destination_passing=*/false);
  const RunnerOutcome outcome = Run();
  EXPECT_EQ(outcome.failed.kind(), worker::Failed::WRONG_OUTPUTS);
  EXPECT_THAT(outcome.failed.message(),
              HasSubstr("\"destination_passing_style\": true"));
}

TEST_F(NativeRunnerTest, TvmFfiErrorTextIsReported) {
  StartFunction("throws", /*destination_passing=*/true);
  const RunnerOutcome outcome = Run();
  EXPECT_EQ(outcome.failed.kind(), worker::Failed::RAISED);
  EXPECT_THAT(outcome.failed.message(),
              HasSubstr("ValueError: factor 4 is not to my taste"));
}

TEST_F(NativeRunnerTest, TvmFfiWrongArityNamesTheArguments) {
  StartFunction("two_arguments", /*destination_passing=*/true);
  const RunnerOutcome outcome = Run();
  EXPECT_EQ(outcome.failed.kind(), worker::Failed::RAISED);
  EXPECT_THAT(outcome.failed.message(),
              HasSubstr("is called with (x: tensor, factor: float, "
                        "y0: tensor)"));
}

TEST_F(NativeRunnerTest, TvmFfiMissingFunctionFailsToLoad) {
  const RunnerOutcome outcome = LoadFunction("missing", true);
  EXPECT_EQ(outcome.kind, RunnerOutcome::kFailed);
  EXPECT_EQ(outcome.failed.kind(), worker::Failed::LOAD);
  EXPECT_THAT(outcome.failed.message(), HasSubstr("\"__tvm_ffi_missing\""));
}

TEST_F(NativeRunnerTest, LauncherThatIsGoneIsAnInfrastructureError) {
  ASSERT_OK_AND_ASSIGN(std::unique_ptr<Launcher> launcher, StartTestLauncher());
  NativeRunnerOptions options;
  options.runner_path = TestDataPath("worker/runner/assay-runner");
  ASSERT_OK_AND_ASSIGN(const auto session,
                       StartNativeRunner(*launcher, *sandbox_, options));
  launcher.reset();
  EXPECT_THAT(session->Run(RunFirst(1), kPatience),
              StatusIs(absl::StatusCode::kUnavailable, HasSubstr("launcher")));
}

TEST_F(NativeRunnerTest, MissingRunnerIsAnInfrastructureError) {
  NativeRunnerOptions options;
  options.runner_path = "/nonexistent/assay-runner";
  EXPECT_THAT(StartNativeRunner(*launcher_, *sandbox_, options), Not(IsOk()));
}

}  // namespace
}  // namespace assay
