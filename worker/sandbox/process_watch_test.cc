#include "worker/sandbox/process_watch.h"

#include <gmock/gmock.h>
#include <unistd.h>

#include <atomic>
#include <memory>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "base/file.h"
#include "base/status_testing.h"
#include "worker/launcher/launcher_testing.h"

namespace assay {
namespace {

using testing::IsEmpty;

// Far longer than anything here takes.
constexpr absl::Duration kLong = absl::Seconds(60);

constexpr char kHold64MiB[] =
    "exec python3 -c 'x = b\"1\" * (64 << 20); input()'";

class ProcessWatchTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_OK_AND_ASSIGN(launcher_, StartTestLauncher());
  }

  // Runs a shell script that would go on for a long time. Returns why it was
  // stopped, and how it ended.
  std::pair<std::string, std::string> Run(const std::string& script,
                                          WatchLimits limits) {
    SpawnOptions options;
    options.argv = {"/bin/sh", "-c", script};
    options.env = {"PATH=/usr/bin:/bin"};
    const auto process = launcher_->Spawn(options);
    EXPECT_OK(process);
    if (!process.ok()) return {};
    const auto watched = watch_.Watch((*process)->pid(), std::move(limits));
    const auto exit = (*process)->Wait(kLong);
    EXPECT_OK(exit);
    return {watched->limit_hit(), exit.ok() ? exit->Describe() : ""};
  }

  std::unique_ptr<Launcher> launcher_;
  ProcessWatch watch_;
};

TEST_F(ProcessWatchTest, StopsWhatUsesTooMuchMemory) {
  WatchLimits limits;
  limits.memory_bytes = int64_t{32} << 20;
  const std::string hold = "exec sleep 1000 | " + std::string(kHold64MiB);
  const auto [why, how] = Run(hold, limits);
  EXPECT_EQ(why, "used more than 32 MiB of memory, which is the limit");
  EXPECT_EQ(how, "killed by signal 9 (killed)");
}

TEST_F(ProcessWatchTest, CountsMemoryThatIsMappedToBeShared) {
  WatchLimits limits;
  limits.memory_bytes = int64_t{50} << 20;
  const auto [why, how] =
      Run("exec python3 -c 'import mmap\n"
          "memory = mmap.mmap(-1, 64 << 20)\n"
          "for i in range(64): memory.write(b\"1\" * (1 << 20))\n"
          "input()' </dev/zero",
          limits);
  EXPECT_EQ(why, "used more than 50 MiB of memory, which is the limit");
}

TEST_F(ProcessWatchTest, CountsMemoryThatIsHeldAndNotMapped) {
  WatchLimits limits;
  limits.memory_bytes = int64_t{50} << 20;
  const auto [why, how] =
      Run("exec python3 -c 'import os, time\n"
          "file = os.memfd_create(\"x\")\n"
          "for i in range(64): os.write(file, b\"1\" * (1 << 20))\n"
          "time.sleep(1000)'",
          limits);
  EXPECT_EQ(why, "used more than 50 MiB of memory, which is the limit");
}

TEST_F(ProcessWatchTest, WhatWasGivenDoesNotCount) {
  ASSERT_OK_AND_ASSIGN(const TempDir folder, TempDir::Create("assay-test-"));
  const std::string done = folder.path() + "/done";
  SpawnOptions options;
  options.argv = {
      "/bin/sh", "-c",
      absl::StrCat("exec python3 -c 'import mmap, os, time\n"
                   "memory = mmap.mmap(-1, 64 << 20)\n"
                   "while not os.path.exists(\"",
                   folder.path(),
                   "/go\"): time.sleep(0.01)\n"
                   "for i in range(64): memory.write(b\"1\" * (1 << "
                   "20))\n"
                   "while not os.path.exists(\"",
                   done, "\"): time.sleep(0.01)'")};
  options.env = {"PATH=/usr/bin:/bin"};
  ASSERT_OK_AND_ASSIGN(const auto process, launcher_->Spawn(options));
  WatchLimits limits;
  limits.memory_bytes = int64_t{50} << 20;
  limits.printed_bytes = 1;
  // Looked at several times before it ends.
  std::atomic<int> looks = 0;
  limits.printed = [&] {
    if (++looks == 5) WriteFileAtomically(done, "").IgnoreError();
    return int64_t{0};
  };
  const auto watched = watch_.Watch(process->pid(), std::move(limits));
  watched->set_given_bytes(int64_t{64} << 20);
  looks = 0;
  ASSERT_OK(WriteFileAtomically(folder.path() + "/go", ""));
  ASSERT_OK_AND_ASSIGN(const ExitStatus exit, process->Wait(kLong));
  EXPECT_THAT(watched->limit_hit(), IsEmpty());
  EXPECT_TRUE(exit.success());
}

TEST_F(ProcessWatchTest, AddsUpTheMemoryOfAllProcesses) {
  WatchLimits limits;
  limits.memory_bytes = int64_t{150} << 20;
  const std::string hold = absl::StrCat("(sleep 1000 | ", kHold64MiB, ")");
  const auto [why, how] =
      Run(absl::StrCat(hold, " & ", hold, " & ", hold, " & wait"), limits);
  EXPECT_EQ(why, "used more than 150 MiB of memory, which is the limit");
}

TEST_F(ProcessWatchTest, CountsMemoryThatForksShareOnce) {
  WatchLimits limits;
  limits.memory_bytes = int64_t{200} << 20;
  // Looked at several times before it ends.
  limits.printed_bytes = 1;
  std::atomic<int> looks = 0;
  ASSERT_OK_AND_ASSIGN(const TempDir folder, TempDir::Create("assay-test-"));
  const std::string done = folder.path() + "/done";
  const std::string ready = folder.path() + "/ready";
  limits.printed = [&] {
    const bool is_ready = access(ready.c_str(), F_OK) == 0;
    if (is_ready && ++looks == 3) WriteFileAtomically(done, "").IgnoreError();
    return int64_t{0};
  };
  const auto [why, how] = Run(absl::StrCat("exec python3 -c 'import os, time\n"
                                           "x = b\"1\" * (64 << 20)\n"
                                           "pids = []\n"
                                           "for i in range(6):\n"
                                           "  pid = os.fork()\n"
                                           "  if pid == 0:\n"
                                           "    break\n"
                                           "  pids.append(pid)\n"
                                           "else:\n"
                                           "  open(\"",
                                           ready,
                                           "\", \"w\").close()\n"
                                           "while not os.path.exists(\"",
                                           done,
                                           "\"):\n"
                                           "  time.sleep(0.01)\n"
                                           "for pid in pids:\n"
                                           "  os.waitpid(pid, 0)'"),
                              limits);
  EXPECT_THAT(why, IsEmpty());
  EXPECT_EQ(how, "exit code 0");
}

TEST_F(ProcessWatchTest, StopsWhatStartsTooManyProcesses) {
  WatchLimits limits;
  limits.processes = 20;
  const auto [why, how] =
      Run("for i in $(seq 40); do sleep 1000 & done; wait", limits);
  EXPECT_EQ(why,
            "had more than 20 processes and threads at a time, which is the "
            "limit");
}

TEST_F(ProcessWatchTest, CountsThreads) {
  WatchLimits limits;
  limits.processes = 20;
  const auto [why, how] =
      Run("exec python3 -c 'import threading, time\n"
          "for i in range(40):\n"
          "  threading.Thread(target=time.sleep, args=[1000]).start()'",
          limits);
  EXPECT_EQ(why,
            "had more than 20 processes and threads at a time, which is the "
            "limit");
}

TEST_F(ProcessWatchTest, StopsWhatUsesTooMuchProcessorTime) {
  WatchLimits limits;
  limits.cpu_time = absl::Milliseconds(300);
  const auto [why, how] = Run("while :; do :; done", limits);
  EXPECT_EQ(why, "used more than 300ms of processor time, which is the limit");
  EXPECT_EQ(how, "killed by signal 9 (killed)");
}

TEST_F(ProcessWatchTest, CountsTheProcessorTimeOfThoseThatHaveEnded) {
  WatchLimits limits;
  limits.cpu_time = absl::Milliseconds(300);
  // None of them takes that much.
  const auto [why, how] = Run("while :; do /bin/true; done", limits);
  EXPECT_EQ(why, "used more than 300ms of processor time, which is the limit");
}

TEST_F(ProcessWatchTest, StopsWhatFillsItsFolder) {
  ASSERT_OK_AND_ASSIGN(const TempDir folder, TempDir::Create("assay-test-"));
  WatchLimits limits;
  limits.folder = folder.path();
  limits.folder_bytes = int64_t{8} << 20;
  const auto [why, how] =
      Run(absl::StrCat("for i in $(seq 16); do head -c 1M /dev/zero >",
                       folder.path(), "/$i; done; sleep 1000"),
          limits);
  EXPECT_EQ(why, "wrote more than 8 MiB to the disk, which is the limit");
}

TEST_F(ProcessWatchTest, StopsWhatPrintsTooMuch) {
  WatchLimits limits;
  limits.printed_bytes = int64_t{1} << 20;
  limits.printed = [] { return (int64_t{1} << 20) + 1; };
  const auto [why, how] = Run("sleep 1000", limits);
  EXPECT_EQ(why, "printed more than 1 MiB, which is the limit");
}

TEST_F(ProcessWatchTest, StopsAndNamesWhatTheKernelSaw) {
  WatchLimits limits;
  limits.kernel_limit_hit = [] { return "took all there is"; };
  const auto [why, how] = Run("sleep 1000", limits);
  EXPECT_EQ(why, "took all there is");
  EXPECT_EQ(how, "killed by signal 9 (killed)");
}

TEST_F(ProcessWatchTest, SparesTheRootWhenAskedTo) {
  WatchLimits limits;
  limits.processes = 3;
  limits.spares_root = true;
  const auto [why, how] =
      // Those that are started after the others were stopped keep to the limit.
      Run("for i in 1 2 3 4 5; do sleep 5 & done; wait; exit 7", limits);
  EXPECT_EQ(why,
            "had more than 3 processes and threads at a time, which is the "
            "limit");
  EXPECT_EQ(how, "exit code 7");
}

TEST_F(ProcessWatchTest, LeavesAloneWhatKeepsToItsLimits) {
  ASSERT_OK_AND_ASSIGN(const TempDir folder, TempDir::Create("assay-test-"));
  WatchLimits limits;
  limits.memory_bytes = int64_t{1} << 30;
  limits.processes = 100;
  limits.folder = folder.path();
  limits.folder_bytes = int64_t{1} << 30;
  limits.printed_bytes = 1;
  // Looked at several times before it ends.
  std::atomic<int> looks = 0;
  const std::string done = folder.path() + "/done";
  limits.printed = [&] {
    if (++looks == 3) WriteFileAtomically(done, "").IgnoreError();
    return int64_t{0};
  };
  const auto [why, how] =
      Run(absl::StrCat("until [ -e ", done, " ]; do sleep 0.01; done"), limits);
  EXPECT_THAT(why, IsEmpty());
  EXPECT_EQ(how, "exit code 0");
}

}  // namespace
}  // namespace assay
