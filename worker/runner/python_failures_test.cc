// What becomes of Python solutions that do not load, raise, hang or die.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "base/fd.h"
#include "worker/runner/python_runner_testing.h"

namespace assay {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::Eq;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

using PythonFailuresTest = PythonRunnerTest;

TEST_F(PythonFailuresTest, ExceptionShowsTheAuthorsFrames) {
  Scale();
  ASSERT_THAT(Load({{"main.py",
                     "from lib.math import divide\n"
                     "def run(x, factor, y):\n"
                     "  divide(1, 0)\n"},
                    {"lib/math.py", "def divide(a, b):\n  return a / b\n"}}),
              Succeeds());
  ASSERT_THAT(Bind(), Succeeds());
  EXPECT_THAT(Run(), FailsWith(worker::Failed::RAISED,
                               Eq("Traceback (most recent call last):\n"
                                  "  File \"main.py\", line 3, in run\n"
                                  "    divide(1, 0)\n"
                                  "  File \"lib/math.py\", line 2, in divide\n"
                                  "    return a / b\n"
                                  "           ~~^~~\n"
                                  "ZeroDivisionError: division by zero")));
}

TEST_F(PythonFailuresTest, ExceptionFromALibraryShowsWhoCalledIt) {
  EXPECT_THAT(CallScale("import torch\n"
                        "def run(x, factor, y):\n"
                        "  torch.nn.functional.linear(x, x, y, 1, 2)\n"),
              FailsWith(worker::Failed::RAISED,
                        AllOf(HasSubstr("File \"main.py\", line 3, in run"),
                              Not(HasSubstr("assay_runner")))));
}

TEST_F(PythonFailuresTest, SystemExitIsAnException) {
  EXPECT_THAT(CallScale("import sys\ndef run(x, factor, y): sys.exit(0)\n"),
              FailsWith(worker::Failed::RAISED, HasSubstr("SystemExit: 0")));
}

TEST_F(PythonFailuresTest, KeyboardInterruptIsAnException) {
  EXPECT_THAT(
      CallScale("def run(x, factor, y): raise KeyboardInterrupt\n"),
      FailsWith(worker::Failed::RAISED, HasSubstr("KeyboardInterrupt")));
}

TEST_F(PythonFailuresTest, ExceptionWithoutTextIsReported) {
  EXPECT_THAT(CallScale("class Mute(Exception):\n"
                        "  def __str__(self): raise ValueError('no')\n"
                        "def run(x, factor, y): raise Mute()\n"),
              FailsWith(worker::Failed::RAISED, HasSubstr("Mute")));
}

TEST_F(PythonFailuresTest, SurrogatesInAMessageAreReplaced) {
  EXPECT_THAT(
      CallScale("def run(x, factor, y): raise ValueError('a\\ud800b')\n"),
      FailsWith(worker::Failed::RAISED, HasSubstr("ValueError: a?b")));
}

TEST_F(PythonFailuresTest, LongMessageIsCut) {
  const RunnerOutcome outcome =
      CallScale("def run(x, factor, y): raise ValueError('a' * 5000000)\n");
  EXPECT_THAT(outcome, FailsWith(worker::Failed::RAISED, HasSubstr("cut")));
  EXPECT_LE(outcome.failed.message().size(), size_t{64} << 10);
}

TEST_F(PythonFailuresTest, CallsAfterAnExceptionWork) {
  Scale();
  ASSERT_THAT(Load({{"main.py",
                     "calls = 0\n"
                     "def run(x, factor, y):\n"
                     "  global calls\n"
                     "  calls += 1\n"
                     "  if calls == 1: raise ValueError()\n"
                     "  y.copy_(x)\n"}}),
              Succeeds());
  ASSERT_THAT(Bind(), Succeeds());
  EXPECT_EQ(Run().kind, RunnerOutcome::kFailed);
  EXPECT_THAT(Run(), Succeeds());
  EXPECT_THAT(Y(), ElementsAre(1, 2, 3));
}

TEST_F(PythonFailuresTest, SyntaxErrorFailsToLoad) {
  EXPECT_THAT(
      Load({{"main.py", "def run(x, factor, y):\n  y = = x\n"}}),
      FailsWith(worker::Failed::LOAD,
                AllOf(HasSubstr("File \"main.py\", line 2"),
                      HasSubstr("SyntaxError"), Not(HasSubstr("/tmp")))));
}

TEST_F(PythonFailuresTest, ImportErrorFailsToLoad) {
  EXPECT_THAT(Load({{"main.py", "import no_such_module\n"}}),
              FailsWith(worker::Failed::LOAD,
                        AllOf(HasSubstr("File \"main.py\", line 1"),
                              HasSubstr("No module named 'no_such_module'"))));
}

TEST_F(PythonFailuresTest, RunnersModulesAreNotFound) {
  EXPECT_THAT(Load({{"main.py",
                     "import os, sys\n"
                     "assert not any(os.path.exists(path + '/assay_runner')\n"
                     "               for path in sys.path)\n"
                     "def run(x, factor, y): pass\n"}}),
              Succeeds());
}

TEST_F(PythonFailuresTest, MissingFunctionFailsToLoad) {
  EXPECT_THAT(Load({{"main.py", "x = 1\n"}}),
              FailsWith(worker::Failed::LOAD,
                        Eq("\"main.py\" defines no \"run\"; it must have "
                           "\"def run(x, factor, y)\"")));
}

TEST_F(PythonFailuresTest, WrongArityFailsToLoadWithTheSignatureWanted) {
  EXPECT_THAT(Load({{"main.py", "def run(x, y): pass\n"}}),
              FailsWith(worker::Failed::LOAD,
                        AllOf(HasSubstr("\"run(x, y)\""),
                              HasSubstr("3 arguments: "
                                        "\"def run(x, factor, y)\""))));
}

TEST_F(PythonFailuresTest, FilesInFoldersImportOneAnother) {
  load_.set_entry_file("pkg/kernel.py");
  Scale();
  ASSERT_THAT(
      Load({{"pkg/__init__.py", ""},
            {"pkg/kernel.py",
             "from .util import f\n"
             "def run(x, factor, y): y.copy_(f(x))\n"},
            {"pkg/util.py", "import top\ndef f(x): return x + top.ONE\n"},
            {"top.py", "ONE = 1\n"}}),
      Succeeds());
  ASSERT_THAT(Bind(), Succeeds());
  ASSERT_THAT(Run(), Succeeds());
  EXPECT_THAT(Y(), ElementsAre(2, 3, 4));
}

TEST_F(PythonFailuresTest, EntryFileThatItsPackageImportsIsLoadedOnce) {
  load_.set_entry_file("pkg/main.py");
  Scale();
  ASSERT_THAT(Load({{"pkg/__init__.py", "LOADS = []\nfrom .main import run\n"},
                    {"pkg/main.py",
                     "from . import LOADS\n"
                     "from .util import f\n"
                     "LOADS.append(__name__)\n"
                     "def run(x, factor, y):\n"
                     "  assert LOADS == ['pkg.main'], LOADS\n"
                     "  y.copy_(f(x))\n"},
                    {"pkg/util.py", "def f(x): return x + 1\n"}}),
              Succeeds());
  ASSERT_THAT(Bind(), Succeeds());
  ASSERT_THAT(Run(), Succeeds());
  EXPECT_THAT(Y(), ElementsAre(2, 3, 4));
}

TEST_F(PythonFailuresTest, EntryFileMayBeThePackageItself) {
  load_.set_entry_file("pkg/__init__.py");
  Scale();
  ASSERT_THAT(Load({{"pkg/__init__.py",
                     "from .util import f\n"
                     "def run(x, factor, y):\n"
                     "  assert __name__ == 'pkg'\n"
                     "  y.copy_(f(x))\n"},
                    {"pkg/util.py", "def f(x): return x + 1\n"}}),
              Succeeds());
  ASSERT_THAT(Bind(), Succeeds());
  ASSERT_THAT(Run(), Succeeds());
  EXPECT_THAT(Y(), ElementsAre(2, 3, 4));
}

TEST_F(PythonFailuresTest, EntryFileMayBeNamedLikeALibrary) {
  load_.set_entry_file("json.py");
  Scale();
  ASSERT_THAT(Load({{"json.py", "def run(x, factor, y): y.copy_(x)\n"}}),
              Succeeds());
}

TEST_F(PythonFailuresTest, SourceMayHoldAnyUnicode) {
  EXPECT_THAT(CallReturning("# \xc3\xa9 \xe2\x82\xac \xf0\x9f\x8e\x89\n"
                            "def run(x, factor): return x\n"),
              Succeeds());
}

TEST_F(PythonFailuresTest, SegmentationFaultDies) {
  EXPECT_THAT(CallScale("import ctypes\n"
                        "def run(x, factor, y): ctypes.string_at(1)\n"),
              DiesOf("killed by signal 11 (segmentation fault)"));
  EXPECT_THAT(session_->TakeLog(),
              AllOf(HasSubstr("Segmentation fault"), HasSubstr("in run")));
}

TEST_F(PythonFailuresTest, AbortDies) {
  EXPECT_THAT(CallScale("import os\ndef run(x, factor, y): os.abort()\n"),
              DiesOf(HasSubstr("signal 6")));
}

TEST_F(PythonFailuresTest, ExitZeroIsNoAnswer) {
  EXPECT_THAT(CallScale("import os\ndef run(x, factor, y): os._exit(0)\n"),
              DiesOf("exit code 0"));
}

TEST_F(PythonFailuresTest, WriteToInputDies) {
  EXPECT_THAT(CallScale("def run(x, factor, y): x.zero_()\n"),
              DiesOf("killed by signal 11 (segmentation fault)"));
}

TEST_F(PythonFailuresTest, EndlessLoopTimesOutAndTheNextSessionWorks) {
  Scale();
  ASSERT_THAT(Load({{"main.py",
                     "def run(x, factor, y):\n"
                     "  while factor == 4: pass\n"
                     "  y.copy_(x)\n"}}),
              Succeeds());
  ASSERT_THAT(Bind(), Succeeds());
  EXPECT_EQ(Run(1, absl::Milliseconds(200)).kind, RunnerOutcome::kTimeout);
  memory_ = TestMemory();
  EXPECT_THAT(CallScale("def run(x, factor, y): y.copy_(x)\n"), Succeeds());
}

TEST_F(PythonFailuresTest, EndlessImportTimesOut) {
  session_ = zygote_->Fork().value();
  const UniqueFd bundle =
      MakeBundle({{"main.py", "while True: pass\n"}}, load_).value();
  EXPECT_EQ(session_->Load(load_, bundle.get(), absl::Milliseconds(300))->kind,
            RunnerOutcome::kTimeout);
}

TEST_F(PythonFailuresTest, OutputIsCaptured) {
  EXPECT_THAT(CallScale("import sys\n"
                        "def run(x, factor, y):\n"
                        "  print('to the log', end='')\n"
                        "  sys.stderr.write(' and more')\n"),
              Succeeds());
  EXPECT_EQ(session_->TakeLog(), "to the log and more");
}

TEST_F(PythonFailuresTest, LongOutputIsCut) {
  EXPECT_THAT(CallScale("def run(x, factor, y): print('x' * (1 << 20))\n"),
              Succeeds());
  EXPECT_THAT(session_->TakeLog(),
              AllOf(StartsWith("xxx"), HasSubstr("bytes cut")));
}

TEST_F(PythonFailuresTest, ClosedControlSocketDies) {
  EXPECT_THAT(CallScale("import os, time\n"
                        "def run(x, factor, y):\n"
                        "  os.close(3)\n"
                        "  time.sleep(1000)\n"),
              DiesOf("it closed its connection to the worker"));
}

TEST_F(PythonFailuresTest, GarbageOnTheControlSocketDies) {
  EXPECT_THAT(
      CallScale("import os\n"
                "def run(x, factor, y): os.write(3, b'\\xff garbage')\n"),
      DiesOf(StartsWith("broke the runner protocol: ")));
}

}  // namespace
}  // namespace assay
