// Nothing of a Python solution runs for a call but within it, where it is
// timed, whatever it returns and has left behind.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "worker/runner/python_runner_testing.h"

namespace assay {
namespace {

using ::testing::ElementsAre;
using ::testing::Eq;
using ::testing::HasSubstr;

using PythonReturnedTest = PythonRunnerTest;

// `hook` notes when it runs outside of a call; the second call says so.
constexpr char kHook[] = R"(
import gc, sys, weakref
import numpy, torch
from torch.overrides import TorchFunctionMode

late = ''
calls = 0

def hook(*_):
  global late
  frame = sys._getframe()
  names = []
  while frame is not None:
    names.append(frame.f_code.co_name)
    frame = frame.f_back
  if 'call' not in names: late = late or str(names)

class Key(str):
  def __eq__(self, other):
    hook()
    return str.__eq__(self, other)
  def __hash__(self):
    hook()
    return str.__hash__(self)

class Dict(dict):
  def __iter__(self): hook(); return dict.__iter__(self)
  def __len__(self): hook(); return dict.__len__(self)
  def __getitem__(self, key): hook(); return dict.__getitem__(self, key)
  def keys(self): hook(); return dict.keys(self)
  def items(self): hook(); return dict.items(self)
  def __del__(self): hook()

class List(list):
  def __iter__(self): hook(); return list.__iter__(self)
  def __len__(self): hook(); return list.__len__(self)
  def __getitem__(self, key): hook(); return list.__getitem__(self, key)
  def __del__(self): hook()

class Mode(TorchFunctionMode):
  def __torch_function__(self, function, types, args=(), kwargs=None):
    hook()
    return function(*args, **(kwargs or {}))

class Stdout:
  def flush(self): hook()

def watched(x):
  values = numpy.array(x * 2)
  weakref.finalize(values, hook)
  return torch.from_numpy(values)

def run(x, factor):
  global calls
  calls += 1
  if late: raise ValueError('late: ' + late)
  return returned(x)

)";

TEST_F(PythonReturnedTest, NoCodeOfASolutionRunsAfterTheCall) {
  const struct {
    const char* what;
    const char* definition;
  } cases[] = {
      {"key", "def returned(x): return {Key('y'): x * 2}"},
      {"dict", "def returned(x): return Dict(y=x * 2)"},
      {"list", "def returned(x): return List([x * 2])"},
      {"function mode",
       "def returned(x):\n"
       "  if calls == 1: Mode().__enter__()\n"
       "  return x * 2\n"},
      {"profile",
       "def returned(x):\n"
       "  sys.setprofile(hook)\n"
       "  return x * 2\n"},
      {"stdout",
       "def returned(x):\n"
       "  sys.stdout = Stdout()\n"
       "  return x * 2\n"},
      {"memory", "def returned(x): return watched(x)"},
      {"collector",
       "def returned(x):\n"
       "  gc.callbacks.append(hook)\n"
       "  gc.set_threshold(1)\n"
       "  return x * 2\n"},
  };
  for (const auto& [what, definition] : cases) {
    SCOPED_TRACE(what);
    EXPECT_THAT(CallReturning(absl::StrCat(kHook, definition, "\n")),
                Succeeds());
    EXPECT_THAT(Run(), Succeeds());
    EXPECT_THAT(Y(), ElementsAre(2, 4, 6));
    memory_ = TestMemory();
  }
}

TEST_F(PythonReturnedTest, NoCodeOfASolutionThatFillsItsArgumentsDoesEither) {
  EXPECT_THAT(CallScale(absl::StrCat(kHook,
                                     "def run(x, factor, y):\n"
                                     "  if late: raise ValueError(late)\n"
                                     "  sys.stdout = Stdout()\n"
                                     "  sys.setprofile(hook)\n"
                                     "  y.copy_(x)\n")),
              Succeeds());
  EXPECT_THAT(Run(), Succeeds());
}

TEST_F(PythonReturnedTest, KeyThatIsNoNameIsRefused) {
  EXPECT_THAT(
      CallReturning("def run(x, factor): return {0: x}\n"),
      FailsWith(worker::Failed::WRONG_OUTPUTS,
                Eq("the keys of a dict that is returned must be names of "
                   "outputs, but one is a value of type int")));
}

TEST_F(PythonReturnedTest, OtherNamesAreRefused) {
  EXPECT_THAT(CallReturning("def run(x, factor): return {'y': x, 'z': x}\n"),
              FailsWith(worker::Failed::WRONG_OUTPUTS,
                        HasSubstr("it has \"y\", \"z\"")));
}

TEST_F(PythonReturnedTest, ZerosWithoutMemory) {
  EXPECT_THAT(CallReturning("import torch\n"
                            "def run(x, factor):\n"
                            "  y = torch._efficientzerotensor(3)\n"
                            "  assert y._is_zerotensor()\n"
                            "  return y\n"),
              Succeeds());
  EXPECT_THAT(Y(), ElementsAre(0, 0, 0));
}

TEST_F(PythonReturnedTest, InputItself) {
  EXPECT_THAT(CallReturning("def run(x, factor): return x\n"), Succeeds());
  EXPECT_THAT(Y(), ElementsAre(1, 2, 3));
}

TEST_F(PythonReturnedTest, CallThatFailedIsExplainedOnce) {
  EXPECT_THAT(CallReturning("calls = 0\n"
                            "def run(x, factor):\n"
                            "  global calls\n"
                            "  calls += 1\n"
                            "  return x if calls == 2 else 'no'\n"),
              FailsWith(worker::Failed::WRONG_OUTPUTS, HasSubstr("type str")));
  EXPECT_THAT(Run(), Succeeds());
  EXPECT_THAT(Y(), ElementsAre(1, 2, 3));
}

}  // namespace
}  // namespace assay
