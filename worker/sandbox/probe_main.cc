// assay-sandbox-probe: tries what a confined process must not be able to do,
// and prints a line for each thing that it could:
//   assay-sandbox-probe SECRET SOCKET
// Each is tried in a way that leaves nothing behind where it works: the probe
// may find itself without any sandbox, as root.
//
// SECRET is a file of the worker, SOCKET the name of an abstract socket on
// which the worker listens. The last line is "done".

#include <dirent.h>
#include <fcntl.h>
#include <linux/keyctl.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cctype>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>

namespace {

void Report(bool succeeded, const std::string& what) {
  if (succeeded) std::printf("%s\n", what.c_str());
}

bool CanOpen(const std::string& path, int mode) {
  return open(path.c_str(), mode | O_CLOEXEC) >= 0;
}

bool CanRead(const std::string& path) { return CanOpen(path, O_RDONLY); }

// A type of file system that no kernel has: whoever may mount learns that, and
// nothing is mounted.
bool CanMount() {
  return mount("none", "/", "assay-no-such-type", 0, nullptr) != 0 &&
         errno == ENODEV;
}

void TryFiles(const std::string& secret) {
  const std::string folder = secret.substr(0, secret.rfind('/'));
  Report(CanRead(secret), "read a file of the worker");
  Report(CanRead("/proc/1/root" + secret),
         "read a file of the worker through /proc/1/root");
  Report(CanRead("/etc/shadow"), "read /etc/shadow");
  Report(CanRead("/proc/kcore"), "read the kernel's memory");
  for (const char* place : {"/", "/usr", "/etc", "/dev", "/proc/sys/kernel"}) {
    Report(access(place, W_OK) == 0,
           "write to the folder " + std::string(place));
  }
  Report(access(folder.c_str(), F_OK) == 0, "see a folder of the worker");
  Report(CanMount(), "mount");
  Report(chroot("/") == 0, "change the root");
}

void TryProcesses() {
  int others = 0;
  DIR* folder = opendir("/proc");
  while (const dirent* entry = folder == nullptr ? nullptr : readdir(folder)) {
    if (std::isdigit(static_cast<unsigned char>(entry->d_name[0])) == 0) {
      continue;
    }
    const int pid = std::atoi(entry->d_name);
    // The sandbox's own first process, and in a child of Python this one's
    // parent.
    if (pid != 1 && pid != getpid() && pid != getppid()) ++others;
  }
  if (folder != nullptr) closedir(folder);
  Report(others > 0, "see processes outside");
  // Those of the sandbox itself, which it does see.
  bool can_look = false;
  for (const pid_t pid : {pid_t{1}, getppid()}) {
    const std::string process = "/proc/" + std::to_string(pid);
    can_look |= CanOpen(process + "/mem", O_RDWR) ||
                CanRead(process + "/environ") || CanRead(process + "/fd/0");
  }
  Report(can_look, "look into another process");
  const pid_t child = fork();
  if (child == 0) _exit(ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) == 0);
  int status = 0;
  waitpid(child, &status, 0);
  Report(status != 0, "trace a process");
  char byte = 0;
  char copy = 0;
  const iovec here = {&copy, 1};
  const iovec there = {&byte, 1};
  Report(syscall(SYS_process_vm_readv, getpid(), &here, 1L, &there, 1L, 0L) > 0,
         "use process_vm_readv");
}

void TryNetwork(const char* socket_name) {
  const struct {
    int family;
    const char* name;
  } kFamilies[] = {{AF_INET, "IPv4"},       {AF_INET6, "IPv6"},
                   {AF_NETLINK, "netlink"}, {AF_PACKET, "packet"},
                   {AF_VSOCK, "vsock"},     {AF_ALG, "crypto"}};
  for (const auto& [family, name] : kFamilies) {
    Report(socket(family, SOCK_DGRAM, 0) >= 0 ||
               socket(family, SOCK_STREAM, 0) >= 0 ||
               socket(family, SOCK_SEQPACKET, 0) >= 0 ||
               socket(family, SOCK_RAW, 0) >= 0,
           "open a socket of kind " + std::string(name));
  }
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  // Abstract: the name begins with a NUL.
  std::strncpy(address.sun_path + 1, socket_name, sizeof(address.sun_path) - 2);
  const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 +
                                           std::strlen(socket_name));
  const int fd = socket(AF_UNIX, SOCK_STREAM, 0);
  Report(connect(fd, reinterpret_cast<sockaddr*>(&address), size) == 0,
         "reach a socket of the worker");
}

void TryKernel() {
  Report(unshare(CLONE_NEWUSER) == 0, "make a user namespace");
  Report(
      syscall(SYS_keyctl, KEYCTL_GET_KEYRING_ID, KEY_SPEC_USER_KEYRING, 1) >= 0,
      "use the keys of the user");
  Report(syscall(SYS_bpf, 0, nullptr, 0) >= 0, "use bpf");
  perf_event_attr attributes = {};
  attributes.size = sizeof(attributes);
  attributes.type = PERF_TYPE_SOFTWARE;
  Report(syscall(SYS_perf_event_open, &attributes, 0, -1, -1, 0) >= 0,
         "use performance events");
  char parameters[256] = {};
  Report(syscall(SYS_io_uring_setup, 1, parameters) >= 0, "use io_uring");
  Report(syscall(SYS_userfaultfd, 1) >= 0, "use userfaultfd");
}

std::string StatusField(const std::string& name) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.compare(0, name.size(), name) == 0) {
      return line.substr(line.find_first_not_of(": \t", name.size()));
    }
  }
  return "";
}

void TryRights() {
  Report(StatusField("CapEff").find_first_not_of('0') != std::string::npos,
         "use capabilities");
  Report(prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 1,
         "get rights from a set-user-id program");
  Report(setuid(0) == 0, "become root");
  Report(StatusField("Seccomp") != "2", "make any system call");
  rlimit limit = {};
  getrlimit(RLIMIT_CORE, &limit);
  Report(limit.rlim_max != 0, "dump core");
  getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_max = limit.rlim_max + 1;
  Report(setrlimit(RLIMIT_NOFILE, &limit) == 0, "raise a limit");
  const sched_param parameters = {1};
  Report(sched_setscheduler(0, SCHED_FIFO, &parameters) == 0,
         "take a processor for itself");
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 64;
  TryFiles(argv[1]);
  TryProcesses();
  TryNetwork(argv[2]);
  TryKernel();
  TryRights();
  std::puts("done");
  return 0;
}
