#include "worker/runner/python_zygote.h"

#include <dirent.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "base/fd.h"
#include "base/file.h"
#include "base/status_testing.h"
#include "worker/runner/python_runner_testing.h"
#include "worker/sandbox/control_group.h"
#include "worker/sandbox/group_files_testing.h"

namespace assay {
namespace {

using ::testing::AnyOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Parent of each process of the machine.
std::map<int, int> Parents() {
  std::map<int, int> parents;
  DIR* folder = opendir("/proc");
  while (const dirent* entry = readdir(folder)) {
    int pid;
    if (!absl::SimpleAtoi(entry->d_name, &pid)) continue;
    const auto stat = ReadFile(absl::StrCat("/proc/", pid, "/stat"));
    if (!stat.ok()) continue;
    // "pid (name) state parent ...", where the name may hold anything.
    const std::vector<std::string> fields =
        absl::StrSplit(stat->substr(stat->rfind(')') + 2), ' ');
    int parent;
    if (absl::SimpleAtoi(fields[1], &parent)) parents[pid] = parent;
  }
  closedir(folder);
  return parents;
}

// How many processes descend from this one.
int Descendants() {
  const std::map<int, int> parents = Parents();
  int count = 0;
  for (auto [pid, parent] : parents) {
    while (parent != getpid() && parents.count(parent) > 0) {
      parent = parents.at(parent);
    }
    if (parent == getpid()) ++count;
  }
  return count;
}

using PythonZygoteTest = PythonRunnerTest;

// A process that the solution starts tries all that it sees but itself and the
// first one, which is the sandbox's own here.
constexpr char kLooksAround[] = R"(import subprocess
script = """
read me rest </proc/self/stat
for p in /proc/[0-9]*; do
  case $p in /proc/$me|/proc/1) continue;; esac
  for f in mem environ fd/0; do (: <$p/$f) && echo $(cat $p/comm) $f; done
done
true"""
def run(x, factor, y):
  found = subprocess.run(["sh", "-c", script], stdout=subprocess.PIPE,
                         stderr=subprocess.DEVNULL).stdout
  assert found == b"", found
)";

TEST_F(PythonZygoteTest, ChildrenDoNotSeeOneAnothersFiles) {
  ASSERT_THAT(CallScale("open('/tmp/left', 'w').close()\n"
                        "def run(x, factor, y): pass\n"),
              Succeeds());
  const auto first = std::move(session_);
  memory_ = TestMemory();
  EXPECT_THAT(CallScale("import os\n"
                        "def run(x, factor, y):\n"
                        "  assert not os.path.exists('/tmp/left')\n"),
              Succeeds());
}

TEST_F(PythonZygoteTest, ChildrenHaveTheFilterOfPrograms) {
  EXPECT_THAT(CallScale("import ctypes, errno\n"
                        "libc = ctypes.CDLL(None, use_errno=True)\n"
                        "def run(x, factor, y):\n"
                        "  # A user namespace, which their zygote may make.\n"
                        "  assert libc.unshare(0x10000000) != 0\n"
                        "  assert ctypes.get_errno() == errno.EPERM\n"),
              Succeeds());
}

TEST_F(PythonZygoteTest, TheKernelBoundsTheProcessorTimeOfChildren) {
  const int64_t bound = absl::ToInt64Seconds(kCpuTime) + 60;
  EXPECT_THAT(CallScale(absl::StrCat(
                  "import resource\n"
                  "def run(x, factor, y):\n"
                  "  limits = resource.getrlimit(resource.RLIMIT_CPU)\n"
                  "  assert limits == (",
                  bound, ", ", bound, "), limits\n")),
              Succeeds());
}

TEST_F(PythonZygoteTest, ChildrenSeeNoOtherProcesses) {
  EXPECT_THAT(CallScale("import os\n"
                        "def run(x, factor, y):\n"
                        "  # The namespace's first process, and this one.\n"
                        "  assert os.getppid() == 1, os.getppid()\n"
                        "  try:\n"
                        "    os.kill(4, 0)\n"
                        "  except ProcessLookupError:\n"
                        "    return\n"
                        "  raise AssertionError('there is a process 4')\n"),
              Succeeds());
}

TEST_F(PythonZygoteTest, OtherProcessesCannotLookIntoAChild) {
  EXPECT_THAT(CallScale(kLooksAround), Succeeds());
}

TEST_F(PythonZygoteTest, ChildHoldsNoDescriptorsButItsOwn) {
  EXPECT_THAT(CallScale("import os\n"
                        "held = sorted(map(int, os.listdir('/proc/self/fd')))\n"
                        "def run(x, factor, y):\n"
                        "  # 0 to 3, and that of the listing.\n"
                        "  assert held[:4] == [0, 1, 2, 3], held\n"
                        "  assert len(held) <= 6, held\n"),
              Succeeds());
}

TEST_F(PythonZygoteTest, ProcessesThatASolutionStartedEndWithIt) {
  ASSERT_THAT(CallScale("import subprocess\n"
                        "child = subprocess.Popen(['sleep', '1000'],\n"
                        "                         start_new_session=True)\n"
                        "def run(x, factor, y): pass\n"),
              Succeeds());
  // The log's pipe is in the grandchild, too: it ends all the same.
  EXPECT_EQ(session_->TakeLog(), "");
}

TEST_F(PythonZygoteTest, ProcessorTimeBeforeTheFirstCallIsCounted) {
  Scale();
  ASSERT_THAT(Load({{"main.py",
                     "import subprocess\n"
                     "child = subprocess.Popen(['sh', '-c',\n"
                     "                          'while :; do :; done'])\n"
                     "def run(x, factor, y): child.kill()\n"}}),
              Succeeds());
  absl::SleepFor(absl::Milliseconds(500));
  ASSERT_THAT(Bind(), Succeeds());
  const PauseRecord record = session_->TakePauses();
  EXPECT_GT(record.cpu_time_of_others, absl::Milliseconds(50));
  EXPECT_EQ(record.broken, 0);
}

TEST_F(PythonZygoteTest, ProcessesThatACallLeftAreCounted) {
  const RunnerOutcome outcome = CallScale(
      "import subprocess\n"
      "def run(x, factor, y):\n"
      "  # An orphan, and a child; and one that has ended.\n"
      "  subprocess.run('sleep 1000 &', shell=True)\n"
      "  subprocess.Popen(['sleep', '1000'],\n"
      "                   start_new_session=True)\n");
  ASSERT_THAT(outcome, Succeeds());
  EXPECT_EQ(outcome.processes_left, 2);
  EXPECT_THAT(outcome.left_names, HasSubstr("sleep"));
}

TEST_F(PythonZygoteTest, NoProcessIsLeftByAnOrdinaryCall) {
  const RunnerOutcome outcome = CallScale(
      "import subprocess\n"
      "def run(x, factor, y): subprocess.run(['true'])\n");
  ASSERT_THAT(outcome, Succeeds());
  EXPECT_EQ(outcome.processes_left, 0) << outcome.left_names;
}

TEST_F(PythonZygoteTest, StoppedChildrenEndWithTheirSessions) {
  const int before = Descendants();
  for (int i = 0; i < 3; ++i) {
    ASSERT_OK_AND_ASSIGN(const auto session, zygote_->Fork());
    ASSERT_OK(session->Ping(/*flush_bytes=*/0, kPatience));
    EXPECT_TRUE(session->frozen_between_requests());
    EXPECT_EQ(session->DrainLog(), "");
  }
  EXPECT_EQ(Descendants(), before);
}

TEST_F(PythonZygoteTest, ZygoteThatDiedIsStartedAgain) {
  ASSERT_OK_AND_ASSIGN(
      const auto zygote,
      PythonZygote::Start(*launcher_, *sandbox_, TestZygoteOptions()));
  ASSERT_OK_AND_ASSIGN(const auto before, zygote->Fork());
  zygote->Kill();
  worker::Load load = load_;
  const UniqueFd bundle =
      MakeBundle({{"main.py", "def run(x, factor, y): pass\n"}}, load).value();
  EXPECT_THAT(before->Load(load, bundle.get(), kPatience),
              StatusIs(absl::StatusCode::kUnavailable,
                       HasSubstr("zygote that a runner came from is gone")));
  ASSERT_OK_AND_ASSIGN(const auto after, zygote->Fork());
  EXPECT_THAT(after->Load(load, bundle.get(), kPatience).value(), Succeeds());
}

TEST_F(PythonZygoteTest, ZygoteThatDiedTooOftenIsNotStartedAgainForNow) {
  PythonZygoteOptions options = TestZygoteOptions();
  options.max_restarts = 0;
  ASSERT_OK_AND_ASSIGN(const auto zygote,
                       PythonZygote::Start(*launcher_, *sandbox_, options));
  zygote->Kill();
  EXPECT_THAT(zygote->Fork(), StatusIs(absl::StatusCode::kUnavailable,
                                       HasSubstr("0 times within 10m")));
}

TEST_F(PythonZygoteTest, MissingHarnessIsReportedWithWhatPythonPrinted) {
  PythonZygoteOptions options = TestZygoteOptions();
  options.harness_path = options.package_dir + "/__main__.py";
  EXPECT_THAT(PythonZygote::Start(*launcher_, *sandbox_, options),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       HasSubstr("invalid ELF header")));
}

// Without namespaces of their own, children are ended in another way.
class SharedNamespacesTest : public PythonRunnerTest {
 protected:
  static void SetUpTestSuite() {
    launcher_ = StartTestLauncher().value().release();
    sandbox_ =
        new Sandbox(Sandbox::Create(SandboxMode::kOff, *launcher_, {}).value());
    PythonZygoteOptions options = TestZygoteOptions();
    options.isolate_children = false;
    zygote_ =
        PythonZygote::Start(*launcher_, *sandbox_, options).value().release();
  }
};

TEST_F(SharedNamespacesTest, Calls) {
  EXPECT_THAT(CallScale("def run(x, factor, y): y.copy_(x * factor)\n"),
              Succeeds());
  EXPECT_THAT(Y(), ElementsAre(4, 8, 12));
}

TEST_F(SharedNamespacesTest, SegmentationFaultDies) {
  EXPECT_THAT(CallScale("import ctypes\n"
                        "def run(x, factor, y): ctypes.string_at(1)\n"),
              DiesOf("killed by signal 11 (segmentation fault)"));
}

TEST_F(SharedNamespacesTest, EndlessLoopTimesOut) {
  Scale();
  ASSERT_THAT(Load({{"main.py",
                     "def run(x, factor, y):\n"
                     "  while True: pass\n"}}),
              Succeeds());
  ASSERT_THAT(Bind(), Succeeds());
  EXPECT_EQ(Run(1, absl::Milliseconds(200)).kind, RunnerOutcome::kTimeout);
}

TEST_F(SharedNamespacesTest, WhatASolutionStartedEndsWithIt) {
  const int before = Descendants();
  ASSERT_THAT(CallScale("import subprocess\n"
                        "for _ in range(3):\n"
                        "  subprocess.Popen(['sleep', '1000'],\n"
                        "                   start_new_session=True)\n"
                        "def run(x, factor, y): pass\n"),
              Succeeds());
  EXPECT_GE(Descendants(), before + 4);
  session_.reset();
  EXPECT_EQ(Descendants(), before);
}

// Where there are control groups, which are in memory here.
class GroupedZygoteTest : public PythonRunnerTest {
 protected:
  static void SetUpTestSuite() {
    launcher_ = StartTestLauncher().value().release();
    groups_ = new FakeGroups;
    SandboxOptions options;
    options.groups =
        ControlGroups::Create(std::make_unique<FakeGroupFiles>(*groups_),
                              PlaceIn(*groups_))
            .value();
    sandbox_ = new Sandbox(
        Sandbox::Create(SandboxMode::kStrict, *launcher_, options).value());
    zygote_ = PythonZygote::Start(*launcher_, *sandbox_, TestZygoteOptions())
                  .value()
                  .release();
  }

  static inline FakeGroups* groups_ = nullptr;
};

TEST_F(GroupedZygoteTest, EachChildIsInAGroupOfItsOwnThatEndsWithIt) {
  Scale();
  ASSERT_THAT(Load({{"main.py", "def run(x, factor, y): pass\n"}}), Succeeds());
  // The sandbox tried one before. Supervisor, init and the child itself.
  const std::string members = SandboxGroup(1) + "/cgroup.procs";
  const std::string text = groups_->Get(members);
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 3) << text;
  session_.reset();
  // Once nobody watches it any more.
  while (groups_->Get(members) != "(none)") {
    absl::SleepFor(absl::Milliseconds(1));
  }
}

// A zygote whose children may use a GPU: where a /proc of their own is refused
// they do without a pid namespace, which is what CUDA needs.
class GpuZygoteTest : public PythonRunnerTest {
 protected:
  static void SetUpTestSuite() {
    launcher_ = StartTestLauncher().value().release();
    sandbox_ = new Sandbox(
        Sandbox::Create(SandboxMode::kStrict, *launcher_, {}).value());
    PythonZygoteOptions options = TestZygoteOptions();
    options.env = {"CUDA_VISIBLE_DEVICES=GPU-that-is-not-here"};
    zygote_ =
        PythonZygote::Start(*launcher_, *sandbox_, options).value().release();
  }
};

TEST_F(GpuZygoteTest, OtherProcessesCannotLookIntoAChild) {
  EXPECT_THAT(CallScale(kLooksAround), Succeeds());
}

// CUDA looks itself up there.
TEST_F(GpuZygoteTest, ProcIsOfTheProcessItself) {
  EXPECT_THAT(CallScale("import os\n"
                        "assert os.readlink('/proc/self') == str(os.getpid())\n"
                        "def run(x, factor, y): y.copy_(x * factor)\n"),
              Succeeds());
  EXPECT_THAT(Y(), ElementsAre(4, 8, 12));
}

TEST_F(GpuZygoteTest, ChildrenDoNotSeeOneAnothersFiles) {
  const std::string source =
      "import os\n"
      "def run(x, factor, y):\n"
      "  assert not os.path.exists('/tmp/left')\n"
      "  open('/tmp/left', 'w').close()\n";
  EXPECT_THAT(CallScale(source), Succeeds());
  const std::unique_ptr<RunnerSession> first = std::move(session_);
  EXPECT_THAT(CallBound(source), Succeeds());
}

TEST_F(GpuZygoteTest, WhatASolutionStartedEndsWithIt) {
  const int before = Descendants();
  ASSERT_THAT(CallScale("import subprocess\n"
                        "for _ in range(3):\n"
                        "  subprocess.Popen(['sleep', '1000'],\n"
                        "                   start_new_session=True)\n"
                        "def run(x, factor, y): pass\n"),
              Succeeds());
  EXPECT_GE(Descendants(), before + 4);
  session_.reset();
  EXPECT_EQ(Descendants(), before);
}

TEST_F(GpuZygoteTest, ProcessesThatACallLeftAreCounted) {
  const RunnerOutcome outcome = CallScale(
      "import subprocess\n"
      "def run(x, factor, y):\n"
      "  subprocess.run('sleep 1000 &', shell=True)\n");
  ASSERT_THAT(outcome, Succeeds());
  EXPECT_EQ(outcome.processes_left, 1);
}

TEST_F(GpuZygoteTest, NobodyIsWokenWhenAChildIsStopped) {
  Scale();
  ASSERT_THAT(Load({{"main.py",
                     "import os\n"
                     "seen = []\n"
                     "def run(x, factor, y):\n"
                     "  with open(f'/proc/{os.getppid()}/status') as status:\n"
                     "    seen.append([line for line in status\n"
                     "                 if 'voluntary_ctxt' in line])\n"
                     "  assert len(seen[0]) == 2\n"
                     "  assert seen[-1] == seen[0], seen\n"}}),
              Succeeds());
  ASSERT_THAT(Bind(), Succeeds());
  for (int i = 0; i < 3; ++i) EXPECT_THAT(Run(), Succeeds());
}

TEST_F(GpuZygoteTest, SetUpSaysWhyThereIsNoGpu) {
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<RunnerSession> session,
                       zygote_->Fork());
  worker::SetUp set_up;
  set_up.set_cuda_uuid("GPU-that-is-not-here");
  EXPECT_THAT(session->SetUp(set_up, kPatience),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       AnyOf(HasSubstr("CUDA is not available"),
                             HasSubstr("no GPU with the UUID"))));
}

TEST_F(GpuZygoteTest, CompilersKeepTheirCachesInTheSolutionsFolder) {
  EXPECT_THAT(
      CallScale("import os\n"
                "for name in ('TRITON_CACHE_DIR', 'CUDA_CACHE_PATH'):\n"
                "  assert os.environ[name].startswith(os.getcwd() + '/')\n"
                "def run(x, factor, y): y.copy_(x * factor)\n"),
      Succeeds());
}

int OpenDescriptors() {
  DIR* folder = opendir("/proc/self/fd");
  int count = 0;
  while (readdir(folder) != nullptr) ++count;
  closedir(folder);
  return count;
}

TEST_F(PythonZygoteTest, ManyForksLeaveNothing) {
  const int before = OpenDescriptors();
  const int processes_before = Descendants();
  for (int i = 0; i < 50; ++i) {
    ASSERT_OK(zygote_->Fork()) << i;
  }
  EXPECT_EQ(OpenDescriptors(), before);
  EXPECT_EQ(Descendants(), processes_before);
}

}  // namespace
}  // namespace assay
