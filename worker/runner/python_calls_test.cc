// How Python solutions are called: arguments, outputs and element types.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "base/status_testing.h"
#include "worker/runner/python_runner_testing.h"

namespace assay {
namespace {

using ::testing::AllOf;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::Eq;
using ::testing::Ge;
using ::testing::HasSubstr;
using ::testing::SizeIs;

using PythonCallsTest = PythonRunnerTest;

TEST_F(PythonCallsTest, FillsItsArguments) {
  EXPECT_THAT(CallScale("import torch\n"
                        "def run(x, factor, y):\n"
                        "  torch.mul(x, factor, out=y)\n"),
              Succeeds());
  EXPECT_THAT(Y(), ElementsAre(4, 8, 12));
}

TEST_F(PythonCallsTest, TimesEachCall) {
  Scale();
  ASSERT_THAT(Load({{"main.py", "def run(x, factor, y): y.copy_(x)\n"}}),
              Succeeds());
  ASSERT_THAT(Bind(), Succeeds());
  const RunnerOutcome outcome = Run(7);
  ASSERT_THAT(outcome, Succeeds());
  EXPECT_THAT(outcome.ran.call_ns(), AllOf(SizeIs(7), Each(Ge(0))));
}

TEST_F(PythonCallsTest, UsesDrawAndSlotOfEachCall) {
  Scale();
  worker::Bind& bind = memory_.bind();
  *bind.add_draws() = bind.draws(0);
  bind.mutable_draws(1)->mutable_values(1)->set_float_value(10);
  memory_.Output<float>(v1::DTYPE_FLOAT32, {3}, {0, 0, 0});
  *bind.add_slots()->add_outputs() = bind.slots(0).outputs(1);
  bind.mutable_slots(0)->mutable_outputs()->RemoveLast();
  ASSERT_THAT(
      Load({{"main.py", "def run(x, factor, y): y.copy_(x * factor)\n"}}),
      Succeeds());
  ASSERT_THAT(Bind(), Succeeds());
  worker::Run run = RunFirst(2);
  run.mutable_calls(1)->set_draw(1);
  run.mutable_calls(1)->set_slot(1);
  ASSERT_OK_AND_ASSIGN(const RunnerOutcome outcome,
                       session_->Run(run, kPatience));
  ASSERT_THAT(outcome, Succeeds());
  EXPECT_THAT(Y(), ElementsAre(4, 8, 12));
  *bind.mutable_slots(0)->mutable_outputs(0) = bind.slots(1).outputs(0);
  EXPECT_THAT(Y(), ElementsAre(10, 20, 30));
}

TEST_F(PythonCallsTest, NothingOfASolutionRunsBetweenRequests) {
  Scale();
  ASSERT_THAT(Load({{"main.py",
                     "import threading, time\n"
                     "count = 0\n"
                     "def work(y):\n"
                     "  global count\n"
                     "  while True:\n"
                     "    count += 1\n"
                     "    y[2] = count % 1000000\n"
                     "def run(x, factor, y):\n"
                     "  if count == 0:\n"
                     "    threading.Thread(target=work, args=(y,)).start()\n"
                     "  before = count\n"
                     "  while count == before: time.sleep(0.001)\n"}}),
              Succeeds());
  ASSERT_THAT(Bind(), Succeeds());
  EXPECT_TRUE(session_->frozen_between_requests());
  for (int i = 0; i < 3; ++i) {
    ASSERT_THAT(Run(), Succeeds());
    const std::vector<float> before = Y();
    absl::SleepFor(absl::Milliseconds(30));
    EXPECT_EQ(Y(), before);
  }
}

TEST_F(PythonCallsTest, PingNeedsNoSolution) {
  session_ = zygote_->Fork().value();
  ASSERT_OK_AND_ASSIGN(const RunnerOutcome outcome,
                       session_->Ping(1 << 20, kPatience));
  ASSERT_THAT(outcome, Succeeds());
  EXPECT_THAT(outcome.ran.host_ns(), SizeIs(1));
}

TEST_F(PythonCallsTest, CompilersStartNoPoolOfProcesses) {
  EXPECT_THAT(CallScale("import os\n"
                        "def run(x, factor, y):\n"
                        "  variable = 'TORCHINDUCTOR_COMPILE_THREADS'\n"
                        "  assert os.environ[variable] == '1'\n"),
              Succeeds());
}

TEST_F(PythonCallsTest, ReturnsATensor) {
  EXPECT_THAT(CallReturning("def run(x, factor): return x * factor\n"),
              Succeeds());
  EXPECT_THAT(Y(), ElementsAre(4, 8, 12));
}

TEST_F(PythonCallsTest, ReturnsANonContiguousTensor) {
  EXPECT_THAT(CallReturning("import torch\n"
                            "def run(x, factor):\n"
                            "  return torch.stack([x, -x], dim=1)[:, 0]\n"),
              Succeeds());
  EXPECT_THAT(Y(), ElementsAre(1, 2, 3));
}

// What is put off until it is copied would not be in the times: what the
// solution does after the call must not matter.
TEST_F(PythonCallsTest, ReturnedViewIsReadWithinTheCall) {
  for (const char* returned : {"base", "(base,)", "[base]", "{'y': base}"}) {
    EXPECT_THAT(CallReturning(absl::StrCat("import sys, torch\n"
                                           "class Out:\n"
                                           "  def flush(self):\n"
                                           "    whole.zero_()\n"
                                           "def run(x, factor):\n"
                                           "  global whole\n"
                                           "  whole = torch.ones(6)\n"
                                           "  base = whole[::2]\n"
                                           "  sys.stdout = Out()\n"
                                           "  return ",
                                           returned, "\n")),
                Succeeds());
    EXPECT_THAT(Y(), ElementsAre(1, 1, 1)) << returned;
    memory_ = TestMemory();
  }
}

TEST_F(PythonCallsTest, ReturnsATensorWhoseSignIsPutOff) {
  EXPECT_THAT(CallReturning("import torch\n"
                            "def run(x, factor):\n"
                            "  y = torch.complex(x, x).conj().imag\n"
                            "  assert y.is_neg()\n"
                            "  return y\n"),
              Succeeds());
  EXPECT_THAT(Y(), ElementsAre(-1, -2, -3));
}

TEST_F(PythonCallsTest, ReturnsATensorThatRequiresGrad) {
  EXPECT_THAT(
      CallReturning("import torch\n"
                    "def run(x, factor): return torch.nn.Parameter(x * 2)\n"),
      Succeeds());
  EXPECT_THAT(Y(), ElementsAre(2, 4, 6));
}

TEST_F(PythonCallsTest, ReturnsATuple) {
  *load_.add_outputs() = TensorSpecNamed("z", v1::DTYPE_FLOAT32);
  load_.set_destination_passing(false);
  Scale();
  memory_.Output<float>(v1::DTYPE_FLOAT32, {3}, {0, 0, 0});
  EXPECT_THAT(CallBound("def run(x, factor): return x * factor, x\n"),
              Succeeds());
  EXPECT_THAT(Y(), ElementsAre(4, 8, 12));
  EXPECT_THAT(memory_.ReadOutput<float>(1, 3), ElementsAre(1, 2, 3));
}

TEST_F(PythonCallsTest, ReturnsADictByName) {
  *load_.add_outputs() = TensorSpecNamed("z", v1::DTYPE_FLOAT32);
  load_.set_destination_passing(false);
  Scale();
  memory_.Output<float>(v1::DTYPE_FLOAT32, {3}, {0, 0, 0});
  EXPECT_THAT(
      CallBound("def run(x, factor): return {'z': x, 'y': x * factor}\n"),
      Succeeds());
  EXPECT_THAT(Y(), ElementsAre(4, 8, 12));
  EXPECT_THAT(memory_.ReadOutput<float>(1, 3), ElementsAre(1, 2, 3));
}

TEST_F(PythonCallsTest, WrongShape) {
  EXPECT_THAT(
      CallReturning("def run(x, factor): return x[:2]\n"),
      FailsWith(worker::Failed::WRONG_SHAPE,
                Eq("output \"y\" must be float32[3], but float32[2] was "
                   "returned")));
}

TEST_F(PythonCallsTest, WrongDtype) {
  EXPECT_THAT(
      CallReturning("def run(x, factor): return x.double()\n"),
      FailsWith(worker::Failed::WRONG_DTYPE,
                Eq("output \"y\" must be float32[3], but float64[3] was "
                   "returned")));
}

TEST_F(PythonCallsTest, WrongKindOfOutput) {
  EXPECT_THAT(CallReturning("def run(x, factor): return x.numpy()\n"),
              FailsWith(worker::Failed::WRONG_OUTPUTS,
                        HasSubstr("a value of type ndarray was returned")));
}

TEST_F(PythonCallsTest, NothingReturned) {
  EXPECT_THAT(CallReturning("def run(x, factor): pass\n"),
              FailsWith(worker::Failed::WRONG_OUTPUTS,
                        HasSubstr("\"destination_passing_style\": true")));
}

TEST_F(PythonCallsTest, WrongNumberOfOutputs) {
  EXPECT_THAT(CallReturning("def run(x, factor): return x, x\n"),
              FailsWith(worker::Failed::WRONG_OUTPUTS,
                        Eq("1 outputs (\"y\") must be returned, but 2 were")));
}

TEST_F(PythonCallsTest, TensorSubclassIsRefused) {
  EXPECT_THAT(
      CallReturning("import torch\n"
                    "class Lazy(torch.Tensor): pass\n"
                    "def run(x, factor): return x.as_subclass(Lazy)\n"),
      FailsWith(worker::Failed::WRONG_OUTPUTS, HasSubstr("Lazy float32[3]")));
}

TEST_F(PythonCallsTest, Bfloat16) {
  OneToOne(v1::DTYPE_BFLOAT16);
  // 1.0, 2.0 and -0.5.
  memory_.Input<uint16_t>(v1::DTYPE_BFLOAT16, {3}, {0x3f80, 0x4000, 0xbf00});
  memory_.Output<uint16_t>(v1::DTYPE_BFLOAT16, {3}, {0, 0, 0});
  EXPECT_THAT(CallBound("def run(x): return x + x\n"), Succeeds());
  EXPECT_THAT(memory_.ReadOutput<uint16_t>(0, 3),
              ElementsAre(0x4000, 0x4080, 0xbf80));
}

TEST_F(PythonCallsTest, Int64) {
  OneToOne(v1::DTYPE_INT64);
  constexpr int64_t kLarge = int64_t{1} << 62;
  memory_.Input<int64_t>(v1::DTYPE_INT64, {2}, {kLarge, -3});
  memory_.Output<int64_t>(v1::DTYPE_INT64, {2}, {0, 0});
  EXPECT_THAT(CallBound("def run(x): return x + 1\n"), Succeeds());
  EXPECT_THAT(memory_.ReadOutput<int64_t>(0, 2), ElementsAre(kLarge + 1, -2));
}

TEST_F(PythonCallsTest, Bool) {
  OneToOne(v1::DTYPE_BOOL);
  memory_.Input<uint8_t>(v1::DTYPE_BOOL, {3}, {0, 1, 1});
  memory_.Output<uint8_t>(v1::DTYPE_BOOL, {3}, {7, 7, 7});
  EXPECT_THAT(CallBound("def run(x): return ~x\n"), Succeeds());
  EXPECT_THAT(memory_.ReadOutput<uint8_t>(0, 3), ElementsAre(1, 0, 0));
}

TEST_F(PythonCallsTest, TwoDimensions) {
  OneToOne(v1::DTYPE_FLOAT32);
  memory_.Input<float>(v1::DTYPE_FLOAT32, {2, 3}, {1, 2, 3, 4, 5, 6});
  memory_.Output<float>(v1::DTYPE_FLOAT32, {2, 3}, {0, 0, 0, 0, 0, 0});
  EXPECT_THAT(CallBound("def run(x): return x.flip(0)\n"), Succeeds());
  EXPECT_THAT(memory_.ReadOutput<float>(0, 6), ElementsAre(4, 5, 6, 1, 2, 3));
}

TEST_F(PythonCallsTest, ZeroDimensionalTensors) {
  OneToOne(v1::DTYPE_FLOAT32);
  memory_.Input<float>(v1::DTYPE_FLOAT32, {}, {5});
  memory_.Output<float>(v1::DTYPE_FLOAT32, {}, {0});
  EXPECT_THAT(CallBound("def run(x):\n"
                        "  assert x.dim() == 0\n"
                        "  return x * 2\n"),
              Succeeds());
  EXPECT_THAT(memory_.ReadOutput<float>(0, 1), ElementsAre(10));
}

TEST_F(PythonCallsTest, NumberFor0DOutput) {
  OneToOne(v1::DTYPE_BFLOAT16);
  memory_.Input<uint16_t>(v1::DTYPE_BFLOAT16, {}, {0x3f80});
  memory_.Output<uint16_t>(v1::DTYPE_BFLOAT16, {}, {0});
  EXPECT_THAT(CallBound("def run(x): return 2.0\n"), Succeeds());
  EXPECT_THAT(memory_.ReadOutput<uint16_t>(0, 1), ElementsAre(0x4000));
}

TEST_F(PythonCallsTest, FloatForAnIntegerOutputIsAWrongDtype) {
  OneToOne(v1::DTYPE_INT32);
  memory_.Input<int32_t>(v1::DTYPE_INT32, {}, {1});
  memory_.Output<int32_t>(v1::DTYPE_INT32, {}, {0});
  EXPECT_THAT(CallBound("def run(x): return 2.0\n"),
              FailsWith(worker::Failed::WRONG_DTYPE, HasSubstr("float")));
}

TEST_F(PythonCallsTest, ZeroSizedTensors) {
  OneToOne(v1::DTYPE_FLOAT32);
  memory_.Input<float>(v1::DTYPE_FLOAT32, {0, 4}, {});
  memory_.Output<float>(v1::DTYPE_FLOAT32, {0, 4}, {});
  EXPECT_THAT(CallBound("def run(x):\n"
                        "  assert x.shape == (0, 4)\n"
                        "  return x + 1\n"),
              Succeeds());
}

TEST_F(PythonCallsTest, ScalarsKeepTheirKindAndValue) {
  load_.clear_inputs();
  *load_.add_inputs() = ScalarSpecNamed("i", v1::DTYPE_INT64);
  *load_.add_inputs() = ScalarSpecNamed("f", v1::DTYPE_FLOAT64);
  *load_.add_inputs() = ScalarSpecNamed("b", v1::DTYPE_BOOL);
  *load_.add_inputs() = ScalarSpecNamed("inf", v1::DTYPE_FLOAT32);
  memory_.InputInt(-(int64_t{1} << 62));
  memory_.InputFloat(0.1);
  memory_.InputBool(true);
  memory_.InputFloat(std::numeric_limits<double>::infinity());
  memory_.Output<float>(v1::DTYPE_FLOAT32, {1}, {0});
  EXPECT_THAT(CallBound("def run(i, f, b, inf, y):\n"
                        "  assert type(i) is int and i == -2**62\n"
                        "  assert type(f) is float and f == 0.1\n"
                        "  assert b is True and inf == float('inf')\n"),
              Succeeds());
}

TEST_F(PythonCallsTest, DtypeThatTorchLacksIsReported) {
  OneToOne(v1::DTYPE_FLOAT4_E2M1FN_X2);
  memory_.Input<uint8_t>(v1::DTYPE_FLOAT4_E2M1FN_X2, {1}, {0});
  memory_.Output<uint8_t>(v1::DTYPE_FLOAT4_E2M1FN_X2, {1}, {0});
  EXPECT_THAT(CallBound("import torch\n"
                        "if hasattr(torch, 'float4_e2m1fn_x2'):\n"
                        "  del torch.float4_e2m1fn_x2\n"
                        "def run(x): return x\n"),
              FailsWith(worker::Failed::INTERNAL,
                        HasSubstr("has no dtype \"float4_e2m1fn_x2\"")));
}

}  // namespace
}  // namespace assay
