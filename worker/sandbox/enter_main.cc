// assay-enter: the last step into a sandbox, and its first process, for what
// bubblewrap cannot do:
//   assay-enter [--whole-proc] [--user ID] [--processes N] FOLDER PROGRAM...
// runs PROGRAM in FOLDER, waits for whatever ends, and ends as PROGRAM does.
// Nobody inside can look into it. Bubblewrap's own first process is open to all
// of its user: a solution could have it work while the solution itself is
// stopped. Before PROGRAM comes
//   --user        becoming user and group ID, without any rights. Bubblewrap
//                 has then set the sandbox up as root of its user namespace.
//   --processes   bounding the processes and threads of the user. From Linux
//                 5.14 on the kernel counts them in the user namespace: a bound
//                 that was set before there was one would hold outside.
//   --whole-proc  taking away what bubblewrap, being root, covers of /proc: the
//                 user may not write there anyway, and where it is covered the
//                 kernel allows no further /proc, which children of the Python
//                 zygote need.

#include <grp.h>
#include <linux/capability.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>

namespace {

[[noreturn]] void Fail(const char* what) {
  std::fprintf(stderr, "assay-enter: %s: %s\n", what, std::strerror(errno));
  _exit(126);
}

// What a program could get back by executing another one.
void DropBoundingSet() {
  for (int capability = 0; prctl(PR_CAPBSET_READ, capability, 0, 0, 0) >= 0;
       ++capability) {
    if (prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) != 0) {
      Fail("dropping a capability");
    }
  }
}

void DropCapabilities() {
  __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct none[2] = {};
  if (syscall(SYS_capset, &header, none) != 0) Fail("dropping capabilities");
}

// What is not covered is fine.
void UncoverProc() {
  for (const char* path :
       {"/proc/sys", "/proc/sysrq-trigger", "/proc/irq", "/proc/bus"}) {
    umount2(path, MNT_DETACH);
  }
}

void BecomeUser(const char* text) {
  const auto id = static_cast<uid_t>(std::strtoul(text, nullptr, 10));
  if (id == 0) _exit(64);
  DropBoundingSet();
  if (setgroups(0, nullptr) != 0) Fail("leaving groups");
  if (setresgid(id, id, id) != 0) Fail("taking a group");
  if (setresuid(id, id, id) != 0) Fail("taking a user");
  DropCapabilities();
}

void BoundProcesses(const char* text) {
  rlimit limit;
  if (getrlimit(RLIMIT_NPROC, &limit) != 0) Fail("reading a limit");
  const rlim_t wanted = std::strtoul(text, nullptr, 10);
  limit.rlim_cur = limit.rlim_max = std::min(wanted, limit.rlim_max);
  if (setrlimit(RLIMIT_NPROC, &limit) != 0) Fail("bounding processes");
}

// Ends when bubblewrap does, which a change of the user made the kernel forget;
// and is nobody's to look into.
void BecomeGuardian() {
  if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) Fail("following bubblewrap");
  if (prctl(PR_SET_DUMPABLE, 0) != 0) Fail("hiding memory");
}

// The ends of children are waited for. That one was stopped, which the worker
// does to a runner after each call, wakes nobody.
sigset_t HoldChildSignals() {
  struct sigaction action = {};
  action.sa_handler = SIG_DFL;
  action.sa_flags = SA_NOCLDSTOP;
  sigaction(SIGCHLD, &action, nullptr);
  sigset_t held;
  sigemptyset(&held);
  sigaddset(&held, SIGCHLD);
  sigprocmask(SIG_BLOCK, &held, nullptr);
  return held;
}

// What shells and bubblewrap make of the way that a program ended.
int ExitCode(int wait_status) {
  return WIFSIGNALED(wait_status) ? 128 + WTERMSIG(wait_status)
                                  : WEXITSTATUS(wait_status);
}

// Waits for all that end here until `program` does; the kernel ends the rest.
[[noreturn]] void WaitFor(pid_t program, const sigset_t& held) {
  // The program's alone: the worker notices its end by theirs.
  syscall(SYS_close_range, STDERR_FILENO + 1, UINT_MAX, 0);
  while (true) {
    int wait_status = 0;
    const pid_t ended = waitpid(-1, &wait_status, WNOHANG);
    if (ended == program) _exit(ExitCode(wait_status));
    if (ended < 0 && errno == ECHILD) _exit(126);
    if (ended == 0) sigwaitinfo(&held, nullptr);
  }
}

}  // namespace

int main(int argc, char** argv) {
  char** rest = argv + 1;
  const char* user = nullptr;
  const char* processes = nullptr;
  for (; *rest != nullptr && (*rest)[0] == '-'; ++rest) {
    if (std::strcmp(*rest, "--whole-proc") == 0) {
      UncoverProc();
    } else if (rest[1] == nullptr) {
      return 64;
    } else if (std::strcmp(*rest, "--user") == 0) {
      user = *++rest;
    } else if (std::strcmp(*rest, "--processes") == 0) {
      processes = *++rest;
    } else {
      return 64;
    }
  }
  if (argv + argc - rest < 2) return 64;
  if (user != nullptr) BecomeUser(user);
  if (processes != nullptr) BoundProcesses(processes);
  if (chdir(rest[0]) != 0) Fail(rest[0]);
  BecomeGuardian();
  const sigset_t held = HoldChildSignals();
  const pid_t program = fork();
  if (program < 0) Fail("fork");
  if (program > 0) WaitFor(program, held);
  sigprocmask(SIG_UNBLOCK, &held, nullptr);
  execv(rest[1], rest + 1);
  Fail(rest[1]);
}
