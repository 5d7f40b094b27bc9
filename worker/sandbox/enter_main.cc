// assay-enter: the last step into a sandbox whose programs have a user of their
// own. Bubblewrap sets the sandbox up as root of its user namespace and starts
//   assay-enter [--whole-proc] ID FOLDER PROGRAM ARGUMENT...
// which becomes the user and group ID, without any rights, and then PROGRAM in
// FOLDER. With --whole-proc it first takes away what bubblewrap, being root,
// covers of /proc: the user may not write there anyway, and where it is covered
// the kernel allows no further /proc, which children of the Python zygote need.

#include <grp.h>
#include <linux/capability.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

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

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1 && std::strcmp(argv[1], "--whole-proc") == 0) {
    UncoverProc();
    --argc;
    ++argv;
  }
  if (argc < 4) return 64;
  const auto id = static_cast<uid_t>(std::strtoul(argv[1], nullptr, 10));
  if (id == 0) return 64;
  DropBoundingSet();
  if (setgroups(0, nullptr) != 0) Fail("leaving groups");
  if (setresgid(id, id, id) != 0) Fail("taking a group");
  if (setresuid(id, id, id) != 0) Fail("taking a user");
  DropCapabilities();
  if (chdir(argv[2]) != 0) Fail(argv[2]);
  execv(argv[3], argv + 3);
  Fail(argv[3]);
}
