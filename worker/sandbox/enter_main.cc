// assay-enter: the last step into a sandbox, for what bubblewrap cannot do. It
// starts
//   assay-enter [--whole-proc] [--user ID] [--processes N] FOLDER PROGRAM...
// which becomes PROGRAM in FOLDER, after
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
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
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
  execv(rest[1], rest + 1);
  Fail(rest[1]);
}
