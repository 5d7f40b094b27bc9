#include "worker/sandbox/sandbox.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <memory>
#include <string>
#include <thread>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "base/fd.h"
#include "base/file.h"
#include "base/seqpacket.h"
#include "base/status_testing.h"
#include "worker/launcher/launcher_testing.h"
#include "worker/sandbox/control_group.h"
#include "worker/sandbox/group_files_testing.h"
#include "worker/sandbox/process_bound.h"

namespace assay {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

// Far longer than anything here takes.
constexpr absl::Duration kLong = absl::Seconds(60);

SandboxProfile DefaultProfile() {
  SandboxProfile profile;
  profile.environment = {"PATH=/usr/bin:/bin"};
  return profile;
}

class SandboxTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_OK_AND_ASSIGN(launcher_, StartTestLauncher());
  }

  // The output of a shell script in a strict sandbox; it must succeed.
  std::string OutputOf(const std::string& script,
                       const SandboxProfile& profile = DefaultProfile(),
                       const SandboxOptions& options = {}) {
    const auto sandbox =
        Sandbox::Create(SandboxMode::kStrict, *launcher_, options);
    if (!sandbox.ok()) return sandbox.status().ToString();
    const auto run =
        sandbox->Run(*launcher_, profile, {"/bin/sh", "-c", script}, kLong);
    if (!run.ok()) return run.status().ToString();
    return run->exit.success() ? run->log : run->exit.Describe() + run->log;
  }

  std::unique_ptr<Launcher> launcher_;
};

// As a worker that is an ordinary user has them.
SandboxOptions WithEnter() {
  SandboxOptions options;
  options.enter_path = absl::StrCat(std::getenv("TEST_SRCDIR"), "/",
                                    std::getenv("TEST_WORKSPACE"),
                                    "/worker/sandbox/assay-enter");
  return options;
}

// As one that is root has them.
SandboxOptions WithUsers() {
  SandboxOptions options = WithEnter();
  options.first_user_id = 64000;
  return options;
}

TEST_F(SandboxTest, RunsAProgramAndReturnsItsOutput) {
  EXPECT_EQ(OutputOf("echo out; echo err >&2"), "out\nerr\n");
}

TEST_F(SandboxTest, TheRootIsReadOnly) {
  EXPECT_EQ(OutputOf("for d in / /usr /etc /var /var/tmp /dev /proc/sys; do "
                     "touch $d/assay-test 2>/dev/null && echo wrote $d; done; "
                     "true"),
            "");
  EXPECT_FALSE(std::ifstream("/dev/assay-test").good());
}

TEST_F(SandboxTest, TemporaryFoldersArePrivateAndEmpty) {
  ASSERT_OK_AND_ASSIGN(const TempDir outside, TempDir::Create("assay-test-"));
  EXPECT_EQ(OutputOf("ls /tmp /dev/shm; echo x >/tmp/a; cat /tmp/a; "
                     "echo y >/dev/shm/b; cat /dev/shm/b"),
            "/dev/shm:\n\n/tmp:\nx\ny\n");
  EXPECT_FALSE(std::ifstream("/tmp/a").good());
}

TEST_F(SandboxTest, OnlyTheSystemIsVisible) {
  EXPECT_EQ(OutputOf("for f in /*; do case $f in /bin|/dev|/etc|/lib*|/proc|"
                     "/sbin|/sys|/tmp|/usr) ;; *) echo $f;; esac; done"),
            "");
  EXPECT_EQ(OutputOf("for f in /etc/*; do case $f in /etc/alternatives|"
                     "/etc/group|/etc/ld.so.*|/etc/localtime|/etc/passwd) ;; "
                     "*) echo $f;; esac; done"),
            "");
}

TEST_F(SandboxTest, WhatUsesADeviceSeesTheHardwareButNoNetwork) {
  SandboxProfile profile = DefaultProfile();
  EXPECT_EQ(OutputOf("ls /sys /sys/devices", profile),
            "/sys:\ndevices\n\n/sys/devices:\nsystem\n");
  profile.device_paths = {"/dev/full"};
  EXPECT_EQ(OutputOf("[ -d /sys/bus ] && ls -A /sys/class/net /sys/kernel; "
                     "echo x 2>/dev/null >/dev/full || echo full",
                     profile),
            "/sys/class/net:\n\n/sys/kernel:\nfull\n");
}

TEST_F(SandboxTest, ProgramsOfTheSystemWork) {
  EXPECT_EQ(OutputOf("id -un; id -gn; echo 'int main() {}' >/tmp/a.cc && "
                     "g++ -o /tmp/a /tmp/a.cc && /tmp/a && echo built; nproc >"
                     "/dev/null && python3 -c 'import numpy' && echo numpy"),
            "nobody\nnogroup\nbuilt\nnumpy\n");
}

TEST_F(SandboxTest, HiddenFoldersAppearEmpty) {
  SandboxOptions options;
  options.hidden_paths = {"/usr/include"};
  EXPECT_EQ(OutputOf("ls -A /usr/include; touch /usr/include/a 2>/dev/null || "
                     "echo refused",
                     DefaultProfile(), options),
            "refused\n");
}

TEST_F(SandboxTest, AHiddenFolderIsHiddenUnderEachOfItsNames) {
  ASSERT_OK_AND_ASSIGN(const TempDir folder,
                       TempDir::CreateIn("/var/tmp", "assay-test-"));
  const std::string state = folder.path() + "/state";
  const std::string link = folder.path() + "/link";
  ASSERT_OK(CreateDirectories(state));
  ASSERT_OK(WriteFileAtomically(state + "/secret", ""));
  ASSERT_EQ(symlink(state.c_str(), link.c_str()), 0);
  SandboxProfile profile = DefaultProfile();
  profile.readable_paths = {folder.path()};
  SandboxOptions options;
  options.hidden_paths = {link};
  EXPECT_EQ(OutputOf(absl::StrCat("ls -A ", state, "/ ", link, "/"), profile,
                     options),
            absl::StrCat(link, "/:\n\n", state, "/:\n"));
  // Were it not hidden, it would be seen.
  EXPECT_EQ(OutputOf(absl::StrCat("ls -A ", state), profile), "secret\n");
}

TEST_F(SandboxTest, AFolderToHideThatDoesNotExistIsReported) {
  SandboxOptions options;
  options.hidden_paths = {"/no/such/folder"};
  EXPECT_THAT(
      Sandbox::Create(SandboxMode::kBestEffort, *launcher_, options),
      StatusIs(absl::StatusCode::kNotFound, HasSubstr("\"/no/such/folder\"")));
}

TEST_F(SandboxTest, WritablePathsCanBeWrittenBelowSomethingHidden) {
  ASSERT_OK_AND_ASSIGN(const TempDir folder, TempDir::Create("assay-test-"));
  SandboxProfile profile = DefaultProfile();
  profile.writable_paths = {folder.path()};
  profile.working_directory = folder.path();
  EXPECT_EQ(OutputOf("echo inside >result; pwd", profile),
            folder.path() + "\n");
  EXPECT_THAT(ReadFile(folder.path() + "/result"), IsOkAndHolds("inside\n"));
}

TEST_F(SandboxTest, ReadablePathsCanBeReadAndNotWritten) {
  ASSERT_OK_AND_ASSIGN(const TempDir folder, TempDir::Create("assay-test-"));
  const std::string file = folder.path() + "/file";
  ASSERT_OK(WriteFileAtomically(file, "content\n"));
  SandboxProfile profile = DefaultProfile();
  profile.readable_paths = {file};
  EXPECT_EQ(OutputOf(absl::StrCat("cat ", file, "; (echo x >", file,
                                  ") 2>/dev/null || echo refused"),
                     profile),
            "content\nrefused\n");
}

TEST_F(SandboxTest, TheEnvironmentIsTheOneGiven) {
  setenv("ASSAY_TEST_SECRET", "secret", 1);
  SandboxProfile profile;
  profile.environment = {"ONE=1"};
  EXPECT_EQ(OutputOf("/usr/bin/env | /usr/bin/sort", profile),
            "ONE=1\nPWD=/\n");
}

TEST_F(SandboxTest, ThereIsNoNetwork) {
  EXPECT_EQ(OutputOf("tail -n +3 /proc/net/dev | cut -d: -f1"), "    lo\n");
}

TEST_F(SandboxTest, AListenerOutsideCannotBeReached) {
  const UniqueFd listener(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof(address);
  ASSERT_EQ(bind(listener.get(), reinterpret_cast<sockaddr*>(&address), size),
            0);
  ASSERT_EQ(listen(listener.get(), 1), 0);
  getsockname(listener.get(), reinterpret_cast<sockaddr*>(&address), &size);
  const std::string connect = absl::StrCat(
      "python3 -c 'import socket; socket.create_connection((\"127.0.0.1\", ",
      ntohs(address.sin_port), "), 5)' 2>&1 | tail -1");
  EXPECT_THAT(OutputOf(connect), HasSubstr("not supported by protocol"));
}

TEST_F(SandboxTest, OtherProcessesCannotBeSeen) {
  EXPECT_EQ(OutputOf("kill -0 $PPID; echo $PPID; set -- /proc/[0-9]*; echo $#"),
            "1\n2\n");
}

TEST_F(SandboxTest, TheFirstProcessCannotBeLookedInto) {
  const std::string script =
      "for f in mem environ fd/0; do "
      "(: </proc/1/$f) 2>/dev/null && echo $f; done; echo end";
  EXPECT_EQ(OutputOf(script, DefaultProfile(), WithEnter()), "end\n");
  EXPECT_EQ(OutputOf(script, DefaultProfile(), WithUsers()), "end\n");
  // Bubblewrap's own can: the script does look.
  EXPECT_THAT(OutputOf(script), StartsWith("mem\nenviron\nfd/0\n"));
}

TEST_F(SandboxTest, TheFirstProcessWaitsForOrphansAndEndsAsTheProgramDoes) {
  // The first process, and the shells.
  // A process may end between the shell's look at it and that of `ls`.
  EXPECT_EQ(OutputOf("(true & true &); while [ $(ls -d /proc/[0-9]* "
                     "2>/dev/null | wc -l) -gt 5 ]; do sleep 0.01; done; "
                     "echo $PPID",
                     DefaultProfile(), WithEnter()),
            "1\n");
  EXPECT_EQ(OutputOf("exit 7", DefaultProfile(), WithEnter()), "exit code 7");
  ASSERT_OK_AND_ASSIGN(
      const Sandbox sandbox,
      Sandbox::Create(SandboxMode::kStrict, *launcher_, WithEnter()));
  ASSERT_OK_AND_ASSIGN(const SandboxRun run,
                       sandbox.Run(*launcher_, DefaultProfile(),
                                   {"/bin/sh", "-c", "kill -SEGV $$"}, kLong));
  EXPECT_EQ(sandbox.DescribeExit(run.exit),
            "killed by signal 11 (segmentation fault)");
}

TEST_F(SandboxTest, ThereAreNoCapabilities) {
  EXPECT_EQ(OutputOf("grep -E 'CapEff|CapBnd' /proc/self/status"),
            "CapEff:\t0000000000000000\nCapBnd:\t0000000000000000\n");
}

TEST_F(SandboxTest, SystemCallsAreFiltered) {
  // Two filters for a zygote's children, which have a test of their own.
  EXPECT_EQ(OutputOf("grep Seccomp_filters /proc/self/status"),
            "Seccomp_filters:\t1\n");
  EXPECT_EQ(OutputOf("unshare -U true 2>&1 || echo refused"),
            "unshare: unshare failed: Operation not permitted\nrefused\n");
}

TEST_F(SandboxTest, NoOtherDescriptorReachesTheProgram) {
  // 3 is the folder that is being listed.
  EXPECT_EQ(OutputOf("ls /proc/self/fd"), "0\n1\n2\n3\n");
}

TEST_F(SandboxTest, DescriptorsReachTheProgram) {
  ASSERT_OK_AND_ASSIGN(const Sandbox sandbox,
                       Sandbox::Create(SandboxMode::kStrict, *launcher_, {}));
  ASSERT_OK_AND_ASSIGN(auto sockets, SeqPacketSocket::Pair());
  SpawnOptions options =
      sandbox.Wrap(DefaultProfile(), {"/bin/sh", "-c", "echo hello >&3"});
  options.fds = {{sockets.second.fd(), 3}};
  ASSERT_OK_AND_ASSIGN(const auto process, launcher_->Spawn(options));
  ASSERT_OK_AND_ASSIGN(const Packet packet, sockets.first.Receive(kLong));
  EXPECT_EQ(packet.data, "hello\n");
}

TEST_F(SandboxTest, ASocketEndsWhenTheProgramDoes) {
  ASSERT_OK_AND_ASSIGN(const Sandbox sandbox,
                       Sandbox::Create(SandboxMode::kStrict, *launcher_, {}));
  ASSERT_OK_AND_ASSIGN(auto sockets, SeqPacketSocket::Pair());
  SpawnOptions options = sandbox.Wrap(DefaultProfile(), {"/bin/true"});
  options.fds = {{sockets.second.fd(), 3}};
  ASSERT_OK_AND_ASSIGN(const auto process, launcher_->Spawn(options));
  sockets.second.ReleaseFd();
  EXPECT_THAT(sockets.first.Receive(kLong),
              StatusIs(absl::StatusCode::kUnavailable, HasSubstr("gone")));
}

TEST_F(SandboxTest, AProgramThatOutlivesItsTimeIsKilledWithAllItStarted) {
  ASSERT_OK_AND_ASSIGN(const Sandbox sandbox,
                       Sandbox::Create(SandboxMode::kStrict, *launcher_, {}));
  ASSERT_OK_AND_ASSIGN(const TempDir folder, TempDir::Create("assay-test-"));
  const std::string fifo = folder.path() + "/fifo";
  ASSERT_EQ(mkfifo(fifo.c_str(), 0600), 0);
  const UniqueFd reader(open(fifo.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  SandboxProfile profile = DefaultProfile();
  profile.writable_paths = {folder.path()};
  ASSERT_OK_AND_ASSIGN(
      const SandboxRun run,
      sandbox.Run(
          *launcher_, profile,
          {"/bin/sh", "-c",
           absl::StrCat("exec >", fifo, "; setsid sleep 1000 & sleep 1000")},
          absl::Milliseconds(300)));
  EXPECT_TRUE(run.timed_out);
  // The end of the pipe: nobody that could write is left.
  char c;
  EXPECT_EQ(read(reader.get(), &c, 1), 0);
}

TEST_F(SandboxTest, DescribesTheSignalThatEndedTheProgram) {
  ASSERT_OK_AND_ASSIGN(const Sandbox sandbox,
                       Sandbox::Create(SandboxMode::kStrict, *launcher_, {}));
  ASSERT_OK_AND_ASSIGN(const SandboxRun run,
                       sandbox.Run(*launcher_, DefaultProfile(),
                                   {"/bin/sh", "-c", "kill -SEGV $$"}, kLong));
  EXPECT_EQ(sandbox.DescribeExit(run.exit),
            "killed by signal 11 (segmentation fault)");
}

TEST_F(SandboxTest, ASandboxThatCannotBeSetUpIsNoFaultOfTheProgram) {
  ASSERT_OK_AND_ASSIGN(const Sandbox sandbox,
                       Sandbox::Create(SandboxMode::kStrict, *launcher_, {}));
  SandboxProfile profile = DefaultProfile();
  profile.writable_paths = {"/no/such/folder"};
  EXPECT_THAT(
      sandbox.Run(*launcher_, profile, {"/bin/true"}, kLong),
      StatusIs(absl::StatusCode::kUnavailable, HasSubstr("/no/such/folder")));
}

TEST_F(SandboxTest, LimitsHoldInside) {
  SandboxProfile profile = DefaultProfile();
  profile.limits.file_bytes = 512;
  EXPECT_EQ(OutputOf("ulimit -c; ulimit -f", profile), "0\n1\n");
}

TEST_F(SandboxTest, TheKernelBoundsProcessorTime) {
  SandboxOptions options;
  options.cpu_time = absl::Seconds(100);
  EXPECT_EQ(OutputOf("ulimit -S -t; ulimit -H -t", DefaultProfile(), options),
            "160\n160\n");
  EXPECT_EQ(OutputOf("ulimit -t"), "unlimited\n");
}

TEST_F(SandboxTest, AProgramThatTakesTooMuchIsStoppedAndTheLimitNamed) {
  SandboxOptions options;
  options.memory_bytes = int64_t{32} << 20;
  options.processes = 30;
  options.cpu_time = absl::Seconds(1);
  ASSERT_OK_AND_ASSIGN(
      const Sandbox sandbox,
      Sandbox::Create(SandboxMode::kStrict, *launcher_, options));
  const auto limit_hit_by = [&](const std::string& script) {
    const auto run = sandbox.Run(*launcher_, DefaultProfile(),
                                 {"/bin/sh", "-c", script}, kLong);
    return run.ok() ? run->limit_hit : run.status().ToString();
  };
  EXPECT_EQ(limit_hit_by("python3 -c 'import time; x = b\"1\" * (64 << 20); "
                         "time.sleep(1000)'"),
            "used more than 32 MiB of memory, which is the limit");
  EXPECT_EQ(limit_hit_by("head -c 64M /dev/zero >/dev/shm/file; sleep 1000"),
            "used more than 32 MiB of memory, which is the limit");
  EXPECT_EQ(limit_hit_by("for i in $(seq 60); do sleep 1000 & done; wait"),
            "had more than 30 processes and threads at a time, which is the "
            "limit");
  EXPECT_EQ(limit_hit_by("yes"),
            "printed more than 64 MiB, which is the limit");
  EXPECT_EQ(limit_hit_by("while :; do :; done"),
            "used more than 1s of processor time, which is the limit");
  EXPECT_EQ(limit_hit_by("true"), "");
}

// Control groups in memory, with a worker that is alone in its own.
class SandboxGroupTest : public SandboxTest {
 protected:
  SandboxOptions WithGroups() {
    auto groups = ControlGroups::Create(
        std::make_unique<FakeGroupFiles>(files_), PlaceIn(files_));
    EXPECT_OK(groups);
    SandboxOptions options;
    options.memory_bytes = int64_t{64} << 20;
    if (groups.ok()) options.groups = *std::move(groups);
    return options;
  }

  FakeGroups files_;
};

TEST_F(SandboxGroupTest, EachProgramIsInAGroupOfItsOwnThatEndsWithIt) {
  ASSERT_OK_AND_ASSIGN(
      const Sandbox sandbox,
      Sandbox::Create(SandboxMode::kStrict, *launcher_, WithGroups()));
  EXPECT_EQ(sandbox.description(), "bubblewrap, seccomp, cgroup");
  for (const std::string& missing : sandbox.Missing()) {
    EXPECT_THAT(missing, testing::Not(StartsWith("control groups")));
  }
  ASSERT_OK(sandbox.Run(*launcher_, DefaultProfile(), {"/bin/true"}, kLong));
  absl::MutexLock lock(&files_.mutex);
  // Those of the probe and of the program.
  EXPECT_THAT(files_.removed,
              testing::IsSupersetOf({SandboxGroup(0), SandboxGroup(1)}));
}

TEST_F(SandboxGroupTest, WhatTheKernelSawIsNamed) {
  ASSERT_OK_AND_ASSIGN(
      const Sandbox sandbox,
      Sandbox::Create(SandboxMode::kStrict, *launcher_, WithGroups()));
  // While it runs, or, had it ended, afterwards.
  std::thread kernel([this] {
    while (files_.Get(SandboxGroup(1) + "/memory.max") != "67108864") {
      absl::SleepFor(absl::Milliseconds(1));
    }
    files_.Set(SandboxGroup(1) + "/memory.events", "oom_kill 1\n");
  });
  ASSERT_OK_AND_ASSIGN(
      const SandboxRun run,
      sandbox.Run(*launcher_, DefaultProfile(), {"/bin/sleep", "1000"}, kLong));
  kernel.join();
  EXPECT_EQ(run.limit_hit,
            "used more than 64 MiB of memory, which is the limit");
}

TEST_F(SandboxGroupTest, WhyThereAreNoneIsSaid) {
  SandboxOptions options;
  options.no_groups = "they are elsewhere";
  ASSERT_OK_AND_ASSIGN(
      const Sandbox sandbox,
      Sandbox::Create(SandboxMode::kStrict, *launcher_, options));
  EXPECT_THAT(
      sandbox.Missing(),
      testing::Contains(StartsWith("control groups: they are elsewhere; ")));
}

// Without rights, as an ordinary user, there is no second user to be.
class SandboxUserTest : public SandboxTest {
 protected:
  void SetUp() override {
    SandboxTest::SetUp();
    is_root_ = geteuid() == 0;
  }
  bool is_root_ = false;
};

TEST_F(SandboxUserTest, ProgramsHaveUsersOfTheirOwnWhenTheWorkerIsRoot) {
  const std::string worker = absl::StrCat(is_root_ ? 64000 : 65534, "\n");
  const std::string other = absl::StrCat(is_root_ ? 64002 : 65534, "\n");
  SandboxProfile profile = DefaultProfile();
  EXPECT_EQ(OutputOf("id -u", profile, WithUsers()), worker);
  profile.user = SandboxUser::kSolution;
  EXPECT_EQ(OutputOf("id -u", profile, WithUsers()), other);
  EXPECT_EQ(OutputOf("id -un; grep -E 'CapEff|CapBnd|Groups' "
                     "/proc/self/status",
                     profile, WithUsers()),
            absl::StrCat("nobody\nGroups:\t", is_root_ ? "" : "65534", " \n",
                         "CapEff:\t0000000000000000\n"
                         "CapBnd:\t0000000000000000\n"));
}

TEST_F(SandboxUserTest, WhatOnlyTheWorkerMayReadStaysUnreadable) {
  ASSERT_OK_AND_ASSIGN(const TempDir folder, TempDir::Create("assay-test-"));
  const std::string file = folder.path() + "/file";
  ASSERT_OK(WriteFileAtomically(file, "content\n"));
  ASSERT_EQ(chmod(file.c_str(), 0600), 0);
  SandboxProfile profile = DefaultProfile();
  profile.readable_paths = {folder.path()};
  ASSERT_EQ(chmod(folder.path().c_str(), 0755), 0);
  EXPECT_EQ(OutputOf(absl::StrCat("cat ", file, " 2>/dev/null || echo refused"),
                     profile, WithUsers()),
            is_root_ ? "refused\n" : "content\n");
}

TEST_F(SandboxUserTest, WritableFoldersBelongToTheUser) {
  ASSERT_OK_AND_ASSIGN(const TempDir folder, TempDir::Create("assay-test-"));
  ASSERT_OK(CreateDirectories(folder.path() + "/src"));
  SandboxProfile profile = DefaultProfile();
  profile.writable_paths = {folder.path()};
  profile.working_directory = folder.path() + "/src";
  EXPECT_EQ(OutputOf("echo inside >result; echo y >/dev/shm/b; echo z >/tmp/c",
                     profile, WithUsers()),
            "");
  EXPECT_THAT(ReadFile(folder.path() + "/src/result"),
              IsOkAndHolds("inside\n"));
}

TEST_F(SandboxUserTest, TheKernelBoundsProcesses) {
  const bool can = is_root_ || CanBoundProcesses(geteuid(), KernelRelease());
  SandboxOptions options = WithUsers();
  options.processes = 20;
  EXPECT_EQ(OutputOf("grep -c 'Max processes  *40  *40 ' /proc/self/limits; :",
                     DefaultProfile(), options),
            can ? "1\n" : "0\n");
}

TEST_F(SandboxTest, StrictRefusesWithoutBubblewrapAndSaysWhatToDo) {
  SandboxOptions options;
  options.bubblewrap = "no-such-bwrap";
  EXPECT_THAT(Sandbox::Create(SandboxMode::kStrict, *launcher_, options),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       testing::AllOf(HasSubstr("\"no-such-bwrap\""),
                                      HasSubstr("install the package"))));
}

TEST_F(SandboxTest, StrictRefusesABubblewrapThatFails) {
  SandboxOptions options;
  options.bubblewrap = "/bin/false";
  EXPECT_THAT(Sandbox::Create(SandboxMode::kStrict, *launcher_, options),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       HasSubstr("exit code 1")));
}

TEST_F(SandboxTest, BestEffortGoesOnWithoutASandboxAndSaysSo) {
  SandboxOptions options;
  options.bubblewrap = "/bin/false";
  ASSERT_OK_AND_ASSIGN(
      const Sandbox sandbox,
      Sandbox::Create(SandboxMode::kBestEffort, *launcher_, options));
  EXPECT_EQ(sandbox.description(), "none");
  EXPECT_THAT(sandbox.warning(), StartsWith("solutions run without a sandbox"));
  ASSERT_OK_AND_ASSIGN(const SandboxRun run,
                       sandbox.Run(*launcher_, DefaultProfile(),
                                   {"/bin/sh", "-c", "echo fine"}, kLong));
  EXPECT_EQ(run.log, "fine\n");
}

TEST_F(SandboxTest, BestEffortTakesASandboxWhereThereIsOne) {
  ASSERT_OK_AND_ASSIGN(
      const Sandbox sandbox,
      Sandbox::Create(SandboxMode::kBestEffort, *launcher_, {}));
  EXPECT_EQ(sandbox.description(), "bubblewrap, seccomp");
  EXPECT_THAT(sandbox.warning(), IsEmpty());
}

TEST_F(SandboxTest, OffKeepsEnvironmentFolderAndLimits) {
  ASSERT_OK_AND_ASSIGN(const Sandbox sandbox,
                       Sandbox::Create(SandboxMode::kOff, *launcher_, {}));
  SandboxProfile profile;
  profile.environment = {"ONE=1"};
  profile.working_directory = "/usr";
  profile.limits.file_bytes = 512;
  ASSERT_OK_AND_ASSIGN(
      const SandboxRun run,
      sandbox.Run(*launcher_, profile,
                  {"/bin/sh", "-c", "echo $ONE; pwd; ulimit -f"}, kLong));
  EXPECT_EQ(run.log, "1\n/usr\n1\n");
  EXPECT_EQ(sandbox.description(), "none");
  EXPECT_THAT(sandbox.warning(), IsEmpty());
}

}  // namespace
}  // namespace assay
