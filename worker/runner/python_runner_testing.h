// What tests of the Python runner share.

#ifndef ASSAY_WORKER_RUNNER_PYTHON_RUNNER_TESTING_H_
#define ASSAY_WORKER_RUNNER_PYTHON_RUNNER_TESTING_H_

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/fd.h"
#include "base/status_testing.h"
#include "worker/launcher/launcher_testing.h"
#include "worker/runner/python_zygote.h"
#include "worker/runner/runner_testing.h"
#include "worker/runner/session.h"

namespace assay {

inline constexpr absl::Duration kPatience = absl::Seconds(100);

using Files = std::vector<std::pair<std::string, std::string>>;

inline PythonZygoteOptions TestZygoteOptions() {
  PythonZygoteOptions options;
  const std::string main = TestDataPath("worker/runner/python/__main__.py");
  options.package_dir = main.substr(0, main.rfind('/'));
  options.harness_path = TestDataPath("worker/runner/libassay_harness.so");
  options.torch_threads = 1;
  options.start_timeout = kPatience;
  options.fork_timeout = kPatience;
  return options;
}

// What the sandbox of the tests lets one child have.
inline constexpr absl::Duration kCpuTime = absl::Hours(3);

// One zygote for all tests of a suite; a session for each.
class PythonRunnerTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    launcher_ = StartTestLauncher().value().release();
    SandboxOptions options;
    options.cpu_time = kCpuTime;
    sandbox_ = new Sandbox(
        Sandbox::Create(SandboxMode::kStrict, *launcher_, options).value());
    zygote_ = PythonZygote::Start(*launcher_, *sandbox_, TestZygoteOptions())
                  .value()
                  .release();
  }
  static void TearDownTestSuite() {
    delete zygote_;
    delete sandbox_;
    delete launcher_;
  }

  // (x: float32, factor: float32) -> y: float32, in main.py::run.
  PythonRunnerTest() {
    load_.set_kind(worker::Load::PYTHON);
    load_.set_entry_file("main.py");
    load_.set_symbol("run");
    load_.set_destination_passing(true);
    *load_.add_inputs() = TensorSpecNamed("x", v1::DTYPE_FLOAT32);
    *load_.add_inputs() = ScalarSpecNamed("factor", v1::DTYPE_FLOAT32);
    *load_.add_outputs() = TensorSpecNamed("y", v1::DTYPE_FLOAT32);
  }

  RunnerOutcome Load(const Files& files) {
    session_ = zygote_->Fork().value();
    const UniqueFd bundle = MakeBundle(files, load_).value();
    return session_->Load(load_, bundle.get(), kPatience).value();
  }

  RunnerOutcome Bind() {
    return session_->Bind(memory_.bind(), memory_.fds(), kPatience).value();
  }

  RunnerOutcome Run(int calls = 1, absl::Duration timeout = kPatience) {
    return session_->Run(RunFirst(calls), timeout).value();
  }

  // x = (1, 2, 3), factor = 4.
  void Scale() {
    memory_.Input<float>(v1::DTYPE_FLOAT32, {3}, {1, 2, 3});
    memory_.InputFloat(4);
    memory_.Output<float>(v1::DTYPE_FLOAT32, {3}, {0, 0, 0});
  }

  // Loads main.py, binds memory_ and calls it once.
  RunnerOutcome CallBound(const std::string& source) {
    RunnerOutcome loaded = Load({{"main.py", source}});
    if (loaded.kind != RunnerOutcome::kOk) return loaded;
    RunnerOutcome bound = Bind();
    if (bound.kind != RunnerOutcome::kOk) return bound;
    return Run();
  }

  RunnerOutcome CallScale(const std::string& source) {
    Scale();
    return CallBound(source);
  }

  RunnerOutcome CallReturning(const std::string& source) {
    load_.set_destination_passing(false);
    return CallScale(source);
  }

  // One input and one output of this dtype; `source` is returning style.
  void OneToOne(v1::DType dtype) {
    load_.set_destination_passing(false);
    load_.clear_inputs();
    load_.clear_outputs();
    *load_.add_inputs() = TensorSpecNamed("x", dtype);
    *load_.add_outputs() = TensorSpecNamed("y", dtype);
  }

  std::vector<float> Y() const { return memory_.ReadOutput<float>(0, 3); }

  static inline Launcher* launcher_ = nullptr;
  static inline Sandbox* sandbox_ = nullptr;
  static inline PythonZygote* zygote_ = nullptr;
  worker::Load load_;
  TestMemory memory_;
  std::unique_ptr<RunnerSession> session_;
};

// Says what the outcome was when it is not as expected.
MATCHER(Succeeds, "") {
  *result_listener << "kind " << arg.kind << " " << arg.failed.message() << " "
                   << arg.detail;
  return arg.kind == RunnerOutcome::kOk;
}

MATCHER_P2(FailsWith, kind, message, "") {
  *result_listener << "kind " << arg.kind << ", "
                   << worker::Failed::Kind_Name(arg.failed.kind()) << " "
                   << arg.failed.message() << " " << arg.detail;
  return arg.kind == RunnerOutcome::kFailed && arg.failed.kind() == kind &&
         testing::ExplainMatchResult(message, arg.failed.message(),
                                     result_listener);
}

MATCHER_P(DiesOf, detail, "") {
  *result_listener << "kind " << arg.kind << " " << arg.failed.message() << " "
                   << arg.detail;
  return arg.kind == RunnerOutcome::kDied &&
         testing::ExplainMatchResult(detail, arg.detail, result_listener);
}

}  // namespace assay

#endif  // ASSAY_WORKER_RUNNER_PYTHON_RUNNER_TESTING_H_
