#include "worker/launcher/launcher.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cinttypes>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/fd.h"
#include "base/file.h"
#include "base/status_testing.h"
#include "worker/launcher/launcher_testing.h"

namespace assay {
namespace {

using testing::HasSubstr;

// Far longer than anything here takes.
constexpr absl::Duration kLong = absl::Seconds(60);

SpawnOptions Shell(const std::string& script) {
  SpawnOptions options;
  options.argv = {"/bin/sh", "-c", script};
  options.env = {"PATH=/usr/bin:/bin"};
  return options;
}

struct Pipe {
  UniqueFd read_end;
  UniqueFd write_end;
};

Pipe MakePipe() {
  int ends[2];
  EXPECT_EQ(pipe2(ends, O_CLOEXEC), 0);
  return {UniqueFd(ends[0]), UniqueFd(ends[1])};
}

// All that is written until every writer is gone.
std::string ReadAll(int fd) {
  std::string text;
  char buffer[4096];
  for (ssize_t got; (got = read(fd, buffer, sizeof(buffer))) > 0;) {
    text.append(buffer, static_cast<size_t>(got));
  }
  return text;
}

std::string ReadLine(int fd) {
  std::string line;
  for (char c; read(fd, &c, 1) == 1 && c != '\n';) line += c;
  return line;
}

int CountOpenFds() {
  int count = 0;
  for ([[maybe_unused]] const auto& entry :
       std::filesystem::directory_iterator("/proc/self/fd")) {
    ++count;
  }
  return count;
}

bool Exists(const std::string& pid) {
  return std::filesystem::exists(absl::StrCat("/proc/", pid));
}

class LauncherTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_OK_AND_ASSIGN(launcher_, StartTestLauncher());
  }

  // Runs to the end and returns what was printed.
  std::string OutputOf(SpawnOptions options) {
    Pipe pipe = MakePipe();
    options.fds.emplace_back(pipe.write_end.get(), STDOUT_FILENO);
    const auto process = launcher_->Spawn(options);
    EXPECT_OK(process);
    pipe.write_end.Reset();
    return process.ok() ? ReadAll(pipe.read_end.get()) : "";
  }

  // Counted by a child that waits until the launcher is done with starting it.
  std::string CountLauncherFds() {
    Pipe go = MakePipe();
    Pipe out = MakePipe();
    SpawnOptions options = Shell("read line; ls /proc/$PPID/fd | wc -l");
    options.fds = {{go.read_end.get(), 0}, {out.write_end.get(), 1}};
    const auto process = launcher_->Spawn(options);
    EXPECT_OK(process);
    EXPECT_EQ(OutputOf(Shell("true")), "");
    go.write_end.Reset();
    out.write_end.Reset();
    return ReadAll(out.read_end.get());
  }

  std::unique_ptr<Launcher> launcher_;
};

TEST_F(LauncherTest, ReportsTheExitCode) {
  ASSERT_OK_AND_ASSIGN(const auto process, launcher_->Spawn(Shell("exit 7")));
  ASSERT_OK_AND_ASSIGN(const ExitStatus exit, process->Wait(kLong));
  EXPECT_EQ(exit.Describe(), "exit code 7");
}

TEST_F(LauncherTest, ReportsTheSignal) {
  ASSERT_OK_AND_ASSIGN(const auto process,
                       launcher_->Spawn(Shell("kill -ABRT $$")));
  ASSERT_OK_AND_ASSIGN(const ExitStatus exit, process->Wait(kLong));
  EXPECT_EQ(exit.Describe(), "killed by signal 6 (aborted)");
}

TEST_F(LauncherTest, ReportsTheResourcesUsed) {
  ASSERT_OK_AND_ASSIGN(
      const auto process,
      launcher_->Spawn(Shell("i=0; while [ $i -lt 200000 ]; do i=$((i+1)); "
                             "done")));
  ASSERT_OK_AND_ASSIGN(const ExitStatus exit, process->Wait(kLong));
  EXPECT_GT(exit.user_time, absl::ZeroDuration());
  EXPECT_GT(exit.max_rss_bytes, 100 << 10);
}

TEST_F(LauncherTest, GivesTheEnvironmentThatWasAskedForAndNoOther) {
  SpawnOptions options;
  options.argv = {"/usr/bin/env"};
  options.env = {"A=1", "B=two words"};
  EXPECT_EQ(OutputOf(options), "A=1\nB=two words\n");
}

TEST_F(LauncherTest, StartsInTheWorkingDirectory) {
  SpawnOptions options = Shell("pwd");
  options.working_directory = "/usr";
  EXPECT_EQ(OutputOf(options), "/usr\n");
}

TEST_F(LauncherTest, GivesDescriptorsTheirNumbersAndClosesTheRest) {
  Pipe three = MakePipe();
  SpawnOptions options = Shell("echo $(ls /proc/self/fd)");
  options.fds = {{three.write_end.get(), 7}, {three.read_end.get(), 3}};
  // 4 is what ls reads the folder with.
  EXPECT_EQ(OutputOf(options), "0 1 2 3 4 7\n");
}

TEST_F(LauncherTest, JoinsTheControlGroupBeforeAllElse) {
  // In place of a group's cgroup.procs.
  Pipe members = MakePipe();
  SpawnOptions options = Shell("ls /proc/self/fd");
  options.control_group = members.write_end.get();
  // 3 is the folder that is being listed: the file is not the program's.
  EXPECT_EQ(OutputOf(options), "0\n1\n2\n3\n");
  members.write_end.Reset();
  EXPECT_EQ(ReadAll(members.read_end.get()), "0");
}

TEST_F(LauncherTest, AControlGroupThatCannotBeJoinedIsReported) {
  const UniqueFd not_writable(open("/dev/null", O_RDONLY | O_CLOEXEC));
  SpawnOptions options = Shell("true");
  options.control_group = not_writable.get();
  EXPECT_THAT(launcher_->Spawn(options).status().message(),
              HasSubstr("joining a control group"));
}

TEST_F(LauncherTest, SwapsDescriptors) {
  Pipe first = MakePipe();
  Pipe second = MakePipe();
  SpawnOptions options = Shell("echo to-six >&6; echo to-five >&5");
  options.fds = {{first.write_end.get(), 5}, {second.write_end.get(), 6}};
  ASSERT_OK_AND_ASSIGN(const auto process, launcher_->Spawn(options));
  first.write_end.Reset();
  second.write_end.Reset();
  EXPECT_EQ(ReadAll(first.read_end.get()), "to-five\n");
  EXPECT_EQ(ReadAll(second.read_end.get()), "to-six\n");
}

TEST_F(LauncherTest, StandardInputIsEmpty) {
  EXPECT_EQ(OutputOf(Shell("cat; echo end")), "end\n");
}

TEST_F(LauncherTest, SetsResourceLimits) {
  SpawnOptions options = Shell("ulimit -c; ulimit -f; ulimit -p; ulimit -v");
  options.limits.file_bytes = 1 << 20;
  options.limits.processes = 321;
  options.limits.address_space_bytes = 1 << 30;
  // The shell counts file sizes in blocks of 512 bytes.
  EXPECT_EQ(OutputOf(options), "0\n2048\n321\n1048576\n");
}

TEST_F(LauncherTest, KeepsToItsProcessors) {
  SpawnOptions options =
      Shell("grep Cpus_allowed_list /proc/self/status | cut -f 2");
  options.limits.cpus = {0};
  EXPECT_EQ(OutputOf(options), "0\n");
}

TEST_F(LauncherTest, LetsOthersGoFirst) {
  const int niceness = getpriority(PRIO_PROCESS, 0);
  SpawnOptions options = Shell("nice");
  options.limits.nice = 3;
  EXPECT_EQ(OutputOf(options), absl::StrCat(std::min(niceness + 3, 19), "\n"));
}

TEST_F(LauncherTest, SignalsHaveTheirDefaults) {
  const std::string lines =
      OutputOf(Shell("grep -E 'SigBlk|SigIgn' /proc/self/status"));
  uint64_t blocked = 1;
  uint64_t ignored = 1;
  ASSERT_EQ(sscanf(lines.c_str(), "SigBlk: %" SCNx64 " SigIgn: %" SCNx64,
                   &blocked, &ignored),
            2);
  EXPECT_EQ(blocked, 0u);
  // 32 and 33 belong to the C library, which lets nobody set them.
  EXPECT_EQ(ignored & ~uint64_t{0x180000000}, 0u);
}

TEST_F(LauncherTest, TheWorkerIsNotTheFirstToDieWhenMemoryRunsOut) {
  EXPECT_EQ(OutputOf(Shell("cat /proc/self/oom_score_adj")), "500\n");
}

TEST_F(LauncherTest, RefusesAProgramThatDoesNotExist) {
  SpawnOptions options;
  options.argv = {"/no/such/program"};
  EXPECT_THAT(launcher_->Spawn(options),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("cannot start \"/no/such/program\" in \"/\": "
                                 "executing: No such file")));
}

TEST_F(LauncherTest, RefusesAWorkingDirectoryThatDoesNotExist) {
  SpawnOptions options = Shell("true");
  options.working_directory = "/no/such/folder";
  EXPECT_THAT(launcher_->Spawn(options),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("\"/no/such/folder\": entering the working")));
}

TEST_F(LauncherTest, RefusesARelativeProgram) {
  SpawnOptions options;
  options.argv = {"sh"};
  EXPECT_THAT(launcher_->Spawn(options),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("absolute path, not \"sh\"")));
}

TEST_F(LauncherTest, RefusesTheSameDescriptorNumberTwice) {
  Pipe pipe = MakePipe();
  SpawnOptions options = Shell("true");
  options.fds = {{pipe.read_end.get(), 5}, {pipe.write_end.get(), 5}};
  EXPECT_THAT(launcher_->Spawn(options),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("descriptor number 5")));
}

TEST_F(LauncherTest, WorksAfterARefusal) {
  SpawnOptions options;
  options.argv = {"/no/such/program"};
  EXPECT_FALSE(launcher_->Spawn(options).ok());
  EXPECT_EQ(OutputOf(Shell("echo fine")), "fine\n");
}

TEST_F(LauncherTest, WaitEndsAtItsDeadlineAndCanBeRepeated) {
  Pipe pipe = MakePipe();
  SpawnOptions options = Shell("read line");
  options.fds = {{pipe.read_end.get(), 0}};
  ASSERT_OK_AND_ASSIGN(const auto process, launcher_->Spawn(options));
  EXPECT_THAT(process->Wait(absl::ZeroDuration()),
              StatusIs(absl::StatusCode::kDeadlineExceeded,
                       HasSubstr("still running")));
  pipe.write_end.Reset();
  EXPECT_OK(process->Wait(kLong));
  EXPECT_OK(process->Wait(kLong));
}

TEST_F(LauncherTest, DataCanBeReadFromADescriptor) {
  SpawnOptions options = Shell("cat <&7; cat <&8");
  options.data = {{"first ", 7}, {std::string("sec\0nd", 6), 8}};
  EXPECT_EQ(OutputOf(options), std::string("first sec\0nd", 12));
}

TEST_F(LauncherTest, DescriptorsAndProcessorTimeAreLimited) {
  SpawnOptions options = Shell("ulimit -n; ulimit -t");
  options.limits.open_files = 77;
  options.limits.cpu_seconds = 55;
  EXPECT_EQ(OutputOf(options), "77\n55\n");
}

TEST_F(LauncherTest, KillEndsTheWholeGroup) {
  Pipe pipe = MakePipe();
  SpawnOptions options = Shell("sleep 1000 & echo $!; wait");
  options.fds = {{pipe.write_end.get(), 1}};
  ASSERT_OK_AND_ASSIGN(const auto process, launcher_->Spawn(options));
  pipe.write_end.Reset();
  const std::string grandchild = ReadLine(pipe.read_end.get());
  process->Kill();
  ASSERT_OK_AND_ASSIGN(const ExitStatus exit, process->Wait(kLong));
  EXPECT_EQ(exit.Describe(), "killed by signal 9 (killed)");
  EXPECT_FALSE(Exists(grandchild));
}

TEST_F(LauncherTest, NothingIsLeftWhenAProcessEndsByItself) {
  const std::string grandchild =
      OutputOf(Shell("sleep 1000 >/dev/null & echo $!"));
  ASSERT_FALSE(grandchild.empty());
  Pipe pipe = MakePipe();
  ASSERT_OK_AND_ASSIGN(const auto process, launcher_->Spawn(Shell("true")));
  ASSERT_OK(process->Wait(kLong));
  EXPECT_FALSE(Exists(grandchild.substr(0, grandchild.size() - 1)));
}

TEST_F(LauncherTest, ADaemonInASessionOfItsOwnIsKilledToo) {
  Pipe pipe = MakePipe();
  SpawnOptions options = Shell("setsid sh -c 'echo $$; exec sleep 1000' &");
  options.fds = {{pipe.write_end.get(), 1}};
  ASSERT_OK_AND_ASSIGN(const auto process, launcher_->Spawn(options));
  pipe.write_end.Reset();
  ASSERT_OK(process->Wait(kLong));
  const std::string daemon = ReadLine(pipe.read_end.get());
  EXPECT_TRUE(daemon.empty() || !Exists(daemon));
}

TEST_F(LauncherTest, TheDestructorKills) {
  Pipe pipe = MakePipe();
  SpawnOptions options = Shell("echo $$; exec sleep 1000");
  options.fds = {{pipe.write_end.get(), 1}};
  auto process = launcher_->Spawn(options);
  ASSERT_OK(process);
  pipe.write_end.Reset();
  const std::string pid = ReadLine(pipe.read_end.get());
  EXPECT_EQ(pid, absl::StrCat((*process)->pid()));
  process->reset();
  EXPECT_FALSE(Exists(pid));
}

TEST_F(LauncherTest, ALauncherThatEndsTakesItsProcessesAlong) {
  Pipe pipe = MakePipe();
  SpawnOptions options = Shell("echo $$; exec sleep 1000");
  options.fds = {{pipe.write_end.get(), 1}};
  ASSERT_OK_AND_ASSIGN(const auto process, launcher_->Spawn(options));
  pipe.write_end.Reset();
  const std::string pid = ReadLine(pipe.read_end.get());
  launcher_.reset();
  EXPECT_FALSE(Exists(pid));
  EXPECT_THAT(process->Wait(kLong),
              StatusIs(absl::StatusCode::kUnavailable, HasSubstr("launcher")));
}

TEST_F(LauncherTest, ALauncherThatDiesIsReportedToThoseWhoWait) {
  Pipe go = MakePipe();
  SpawnOptions options = Shell("read line; kill -9 $PPID");
  options.fds = {{go.read_end.get(), 0}};
  ASSERT_OK_AND_ASSIGN(const auto process, launcher_->Spawn(options));
  go.write_end.Reset();
  EXPECT_THAT(process->Wait(kLong),
              StatusIs(absl::StatusCode::kUnavailable, HasSubstr("launcher")));
  EXPECT_THAT(launcher_->Spawn(Shell("true")),
              StatusIs(absl::StatusCode::kUnavailable, HasSubstr("launcher")));
}

TEST_F(LauncherTest, ADyingLauncherTakesItsProcessesAlong) {
  Pipe go = MakePipe();
  Pipe out = MakePipe();
  SpawnOptions options = Shell("read line; kill -9 $PPID; exec sleep 1000");
  options.fds = {{go.read_end.get(), 0}, {out.write_end.get(), 1}};
  ASSERT_OK_AND_ASSIGN(const auto process, launcher_->Spawn(options));
  out.write_end.Reset();
  go.write_end.Reset();
  // Ends only when the process, the last writer, is gone.
  EXPECT_EQ(ReadAll(out.read_end.get()), "");
}

TEST_F(LauncherTest, AHundredProcessesLeaveNoDescriptorBehind) {
  const std::string launcher_before = CountLauncherFds();
  const int before = CountOpenFds();
  for (int i = 0; i < 100; ++i) {
    ASSERT_OK_AND_ASSIGN(const auto process, launcher_->Spawn(Shell("true")));
    ASSERT_OK(process->Wait(kLong));
  }
  EXPECT_EQ(CountOpenFds(), before);
  EXPECT_EQ(CountLauncherFds(), launcher_before);
}

TEST_F(LauncherTest, ServesManyThreadsAtOnce) {
  std::vector<std::thread> threads;
  std::vector<std::string> descriptions(16);
  threads.reserve(16);
  for (int i = 0; i < 16; ++i) {
    threads.emplace_back([this, i, &descriptions] {
      const auto process = launcher_->Spawn(Shell(absl::StrCat("exit ", i)));
      if (!process.ok()) return;
      const auto exit = (*process)->Wait(kLong);
      if (exit.ok()) descriptions[i] = exit->Describe();
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (int i = 0; i < 16; ++i) {
    EXPECT_EQ(descriptions[i], absl::StrCat("exit code ", i));
  }
}

TEST(LauncherStartTest, RefusesAProgramThatDoesNotExist) {
  EXPECT_THAT(Launcher::Start("/no/such/launcher"),
              StatusIs(absl::StatusCode::kNotFound,
                       HasSubstr("\"/no/such/launcher\"")));
}

TEST(LauncherStartTest, AProgramThatIsNoLauncherIsReported) {
  ASSERT_OK_AND_ASSIGN(const auto launcher, Launcher::Start("/bin/true"));
  EXPECT_THAT(launcher->Spawn(Shell("true")),
              StatusIs(absl::StatusCode::kUnavailable, HasSubstr("launcher")));
}

}  // namespace
}  // namespace assay
