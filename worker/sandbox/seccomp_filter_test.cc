#include "worker/sandbox/seccomp_filter.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <linux/filter.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <functional>
#include <string>

#include "base/status_testing.h"

namespace assay {
namespace {

// errno after a raw system call; 0 when it succeeded.
template <typename... Arguments>
int ErrorOf(long number, Arguments... arguments) {
  return syscall(number, arguments...) < 0 ? errno : 0;
}

// Wait status of a fork in which `body`, under the filter, returned an exit
// code.
int RunFiltered(SeccompKind kind, const std::function<int()>& body) {
  const absl::StatusOr<std::string> filter = CompileSeccompFilter(kind);
  EXPECT_OK(filter);
  if (!filter.ok()) return -1;
  const pid_t pid = fork();
  if (pid == 0) {
    const sock_fprog program = {
        static_cast<unsigned short>(filter->size() / sizeof(sock_filter)),
        reinterpret_cast<sock_filter*>(const_cast<char*>(filter->data()))};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
        prctl(PR_SET_SECCOMP, 2, &program) != 0) {
      _exit(255);
    }
    _exit(body());
  }
  int status = 0;
  waitpid(pid, &status, 0);
  return status;
}

int CodeOf(const std::function<int()>& body,
           SeccompKind kind = SeccompKind::kProgram) {
  const int status = RunFiltered(kind, body);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

TEST(SeccompFilterTest, WhatProgramsNeedIsAllowed) {
  EXPECT_EQ(CodeOf([] {
              const int file = open("/dev/null", O_RDWR);
              if (file < 0 || write(file, "x", 1) != 1) return 1;
              int pair[2];
              if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0) return 2;
              const pid_t child = fork();
              if (child == 0) _exit(0);
              if (waitpid(child, nullptr, 0) != child) return 3;
              if (kill(getpid(), 0) != 0) return 4;
              return 0;
            }),
            0);
}

TEST(SeccompFilterTest, OtherProcessesCannotBeTouched) {
  EXPECT_EQ(CodeOf([] { return ErrorOf(SYS_ptrace, PTRACE_TRACEME, 0, 0, 0); }),
            EPERM);
  EXPECT_EQ(CodeOf([] {
              return ErrorOf(SYS_process_vm_readv, getpid(), 0, 0, 0, 0, 0);
            }),
            EPERM);
  EXPECT_EQ(CodeOf([] {
              return ErrorOf(SYS_process_vm_writev, getpid(), 0, 0, 0, 0, 0);
            }),
            EPERM);
}

TEST(SeccompFilterTest, MemoryThatIsHiddenStaysHidden) {
  const auto set_dumpable = [](long value) {
    return [value] { return ErrorOf(SYS_prctl, PR_SET_DUMPABLE, value, 0, 0); };
  };
  EXPECT_EQ(CodeOf(set_dumpable(0)), 0);
  EXPECT_EQ(CodeOf(set_dumpable(1)), EPERM);
  EXPECT_EQ(CodeOf(set_dumpable(1), SeccompKind::kZygote), 0);
}

TEST(SeccompFilterTest, ThereIsNoSocketButAUnixOne) {
  for (const int family :
       {AF_INET, AF_INET6, AF_NETLINK, AF_PACKET, AF_VSOCK, AF_ALG}) {
    EXPECT_EQ(
        CodeOf([=] { return ErrorOf(SYS_socket, family, SOCK_DGRAM, 0); }),
        EAFNOSUPPORT)
        << family;
  }
  EXPECT_EQ(CodeOf([] { return ErrorOf(SYS_socket, AF_UNIX, SOCK_DGRAM, 0); }),
            0);
}

TEST(SeccompFilterTest, HighBitsOfAnArgumentDoNotHideIt) {
  // The kernel looks at the lower half alone.
  constexpr long kHigh = 1L << 32;
  EXPECT_EQ(CodeOf([] {
              return ErrorOf(SYS_socket, kHigh | AF_INET, SOCK_DGRAM, 0);
            }),
            EAFNOSUPPORT);
  EXPECT_EQ(CodeOf([] { return ErrorOf(SYS_ioctl, 0L, kHigh | TIOCSTI, 0L); }),
            EPERM);
}

TEST(SeccompFilterTest, ThereAreNoNewNamespaces) {
  EXPECT_EQ(CodeOf([] { return ErrorOf(SYS_unshare, CLONE_NEWUSER); }), EPERM);
  EXPECT_EQ(CodeOf([] {
              return ErrorOf(SYS_clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0);
            }),
            EPERM);
  EXPECT_EQ(CodeOf([] { return ErrorOf(SYS_clone3, 0, 0); }), ENOSYS);
  EXPECT_EQ(CodeOf([] { return ErrorOf(SYS_mount, 0, 0, 0, 0, 0); }), EPERM);
}

// ThreadSanitizer has a thread of its own, and who has two makes no namespace
// of users.
#ifndef ASSAY_TSAN
TEST(SeccompFilterTest, AZygoteMayMakeNamespaces) {
  const auto new_namespace = [] {
    return ErrorOf(SYS_unshare, CLONE_NEWUSER | CLONE_NEWNS);
  };
  EXPECT_EQ(CodeOf(new_namespace, SeccompKind::kZygote), 0);
}
#endif

TEST(SeccompFilterTest, DangerousPartsOfTheKernelAreNotThere) {
  EXPECT_EQ(CodeOf([] { return ErrorOf(SYS_io_uring_setup, 1, 0); }), ENOSYS);
  EXPECT_EQ(CodeOf([] { return ErrorOf(SYS_bpf, 0, 0, 0); }), EPERM);
  EXPECT_EQ(CodeOf([] { return ErrorOf(SYS_userfaultfd, 0); }), EPERM);
  EXPECT_EQ(CodeOf([] { return ErrorOf(SYS_perf_event_open, 0, 0, 0, 0, 0); }),
            EPERM);
  EXPECT_EQ(CodeOf([] { return ErrorOf(SYS_keyctl, 0, 0, 0, 0, 0); }), EPERM);
}

TEST(SeccompFilterTest, MemoryOfNobodyCannotBeMadeButByDriversOfGpus) {
  const auto make = [] { return ErrorOf(SYS_memfd_create, "x", 0); };
  EXPECT_EQ(CodeOf(make), ENOSYS);
  EXPECT_EQ(CodeOf(make, SeccompKind::kGpuProgram), 0);
  EXPECT_EQ(CodeOf([] { return ErrorOf(SYS_shmget, 0, 4096, 0600); },
                   SeccompKind::kGpuProgram),
            ENOSYS);
}

TEST(SeccompFilterTest, ProcessorsCannotBeKept) {
  const auto become = [](int policy) {
    const sched_param parameters = {policy == SCHED_FIFO ? 1 : 0};
    return ErrorOf(SYS_sched_setscheduler, 0, policy, &parameters);
  };
  EXPECT_EQ(CodeOf([&] { return become(SCHED_FIFO); }), EPERM);
  EXPECT_EQ(CodeOf([&] { return become(SCHED_OTHER); }), 0);
}

TEST(SeccompFilterTest, CallsThatNobodyKnewDoNotExist) {
  // fchmodat2 of Linux 6.6, which says EBADF to this where there is one.
  constexpr long kFchmodat2 = 452;
  EXPECT_EQ(CodeOf([] { return ErrorOf(kFchmodat2, -1, "x", 0, 0); }), ENOSYS);
}

#ifdef __x86_64__
TEST(SeccompFilterTest, CallsOfAnotherArchitectureKill) {
  // getpid by its number of 32-bit programs.
  EXPECT_EQ(CodeOf([] {
              long result = 20;
              asm volatile("int $0x80" : "+a"(result) : : "memory");
              return 0;
            }),
            -SIGSYS);
  // And by that of x32.
  EXPECT_EQ(CodeOf([] { return ErrorOf(0x40000000 | SYS_getpid); }), -SIGSYS);
}
#endif

}  // namespace
}  // namespace assay
