#include "worker/sandbox/seccomp_filter.h"

#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "absl/strings/str_cat.h"
#include "base/fd.h"
#include "base/posix.h"
#include "base/status_macros.h"
#include "worker/sandbox/denied_calls.h"

namespace assay {
namespace {

// set_mempolicy_home_node of Linux 5.17. From 424 on, all architectures number
// calls alike.
constexpr uint32_t kLastKnownCall = 450;

// Bits of x32's numbers, which libseccomp's part of the program judges.
constexpr uint32_t kForeignCall = 0x40000000;

constexpr uint64_t kLow32 = 0xFFFFFFFF;

struct ReleaseFilter {
  void operator()(void* filter) const { seccomp_release(filter); }
};
using Filter = std::unique_ptr<void, ReleaseFilter>;

// Adds rules and remembers the first error.
class Rules {
 public:
  explicit Rules(scmp_filter_ctx filter) : filter_(filter) {}

  void Deny(const char* call, int error_number) {
    const int number = Resolve(call);
    if (number >= 0) {
      Check(call,
            seccomp_rule_add(filter_, SCMP_ACT_ERRNO(error_number), number, 0));
    }
  }

  void DenyIf(const char* call, int error_number, scmp_arg_cmp condition) {
    const int number = Resolve(call);
    if (number >= 0) {
      Check(call, seccomp_rule_add(filter_, SCMP_ACT_ERRNO(error_number),
                                   number, 1, condition));
    }
  }

  void DenyIfBoth(const char* call, int error_number, scmp_arg_cmp first,
                  scmp_arg_cmp second) {
    const int number = Resolve(call);
    if (number >= 0) {
      Check(call, seccomp_rule_add(filter_, SCMP_ACT_ERRNO(error_number),
                                   number, 2, first, second));
    }
  }

  const absl::Status& status() const { return status_; }

 private:
  // Negative where this architecture has no such call.
  static int Resolve(const char* call) {
    return seccomp_syscall_resolve_name(call);
  }

  void Check(const char* call, int result) {
    if (result == 0 || !status_.ok()) return;
    status_ = PosixError(absl::StrCat("seccomp rule for ", call), -result);
  }

  scmp_filter_ctx filter_;
  absl::Status status_;
};

void DenyNamespaces(Rules& rules) {
  for (const uint64_t flag :
       {CLONE_NEWNS, CLONE_NEWCGROUP, CLONE_NEWUTS, CLONE_NEWIPC, CLONE_NEWUSER,
        CLONE_NEWPID, CLONE_NEWNET}) {
    rules.DenyIf("clone", EPERM, SCMP_A0(SCMP_CMP_MASKED_EQ, flag, flag));
  }
}

// No network of any kind: neither the machine's interfaces (AF_NETLINK), nor
// its host (AF_VSOCK), nor its ciphers (AF_ALG). Unix sockets reach what is in
// the same sandbox.
void DenySockets(Rules& rules) {
  for (const char* call : {"socket", "socketpair"}) {
    rules.DenyIf(call, EAFNOSUPPORT, SCMP_A0(SCMP_CMP_NE, AF_UNIX));
  }
}

// Characters put into a terminal are commands of whoever sits at it.
void DenyTerminals(Rules& rules) {
  constexpr uint64_t kTioclinux = 0x541C;
  for (const uint64_t request : {uint64_t{TIOCSTI}, kTioclinux}) {
    rules.DenyIf("ioctl", EPERM, SCMP_A1(SCMP_CMP_MASKED_EQ, kLow32, request));
  }
}

// A process that never gives its processor back stops the worker.
void DenyRealTime(Rules& rules) {
  constexpr uint64_t kPolicy = 0xFF;
  constexpr uint64_t kDeadline = 6;
  for (const uint64_t policy :
       {uint64_t{SCHED_FIFO}, uint64_t{SCHED_RR}, kDeadline}) {
    rules.DenyIf("sched_setscheduler", EPERM,
                 SCMP_A1(SCMP_CMP_MASKED_EQ, kPolicy, policy));
  }
}

// Runners keep others of their user from their memory. A solution that undid
// that could have a process that it started work in its place while it is
// stopped, and write by /proc/self/mem to memory that is not writable. The
// zygote must: else it could not set up the namespaces of its children.
void DenyOpeningMemory(Rules& rules) {
  rules.DenyIfBoth(
      "prctl", EPERM,
      SCMP_A0(SCMP_CMP_MASKED_EQ, kLow32, uint64_t{PR_SET_DUMPABLE}),
      SCMP_A1(SCMP_CMP_NE, 0));
}

absl::Status AddRules(scmp_filter_ctx filter, SeccompKind kind) {
  Rules rules(filter);
  const bool is_zygote = kind == SeccompKind::kZygote;
  const bool uses_gpu = kind == SeccompKind::kGpuProgram;
  for (const DeniedCall& call : kDeniedCalls) {
    if ((is_zygote && call.zygote_needs) || (uses_gpu && call.gpu_needs)) {
      continue;
    }
    rules.Deny(call.name, call.error_number);
  }
  if (!is_zygote) {
    DenyNamespaces(rules);
    DenyOpeningMemory(rules);
  }
  DenySockets(rules);
  DenyTerminals(rules);
  DenyRealTime(rules);
  // Turns off the random layout of memory, and memory protection; asking which
  // personality it is may be.
  rules.DenyIf("personality", EPERM, SCMP_A0(SCMP_CMP_NE, kLow32));
  return rules.status();
}

// libseccomp compares arguments, not numbers.
std::string UnknownCallsDoNotExist() {
  const sock_filter program[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, kForeignCall, 2, 0),
      BPF_JUMP(BPF_JMP | BPF_JGT | BPF_K, kLastKnownCall, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
  };
  return {reinterpret_cast<const char*>(program), sizeof(program)};
}

absl::StatusOr<std::string> Export(scmp_filter_ctx filter) {
  const UniqueFd file(memfd_create("assay-filter", MFD_CLOEXEC));
  if (!file.valid()) return PosixError("memfd_create");
  const int error = seccomp_export_bpf(filter, file.get());
  if (error != 0) return PosixError("exporting the seccomp filter", -error);
  if (lseek(file.get(), 0, SEEK_SET) != 0) return PosixError("lseek");
  std::string program;
  char buffer[4096];
  ssize_t got;
  while ((got = read(file.get(), buffer, sizeof(buffer))) > 0) {
    program.append(buffer, static_cast<size_t>(got));
  }
  if (got < 0) return PosixError("reading the seccomp filter");
  return program;
}

}  // namespace

absl::StatusOr<std::string> CompileSeccompFilter(SeccompKind kind) {
  const Filter filter(seccomp_init(SCMP_ACT_ALLOW));
  if (filter == nullptr) {
    return absl::UnimplementedError(
        "libseccomp does not know this machine's architecture");
  }
  seccomp_attr_set(filter.get(), SCMP_FLTATR_ACT_BADARCH,
                   SCMP_ACT_KILL_PROCESS);
  // A tree of comparisons instead of a chain.
  seccomp_attr_set(filter.get(), SCMP_FLTATR_CTL_OPTIMIZE, 2);
  ASSAY_RETURN_IF_ERROR(AddRules(filter.get(), kind));
  ASSAY_ASSIGN_OR_RETURN(const std::string rules, Export(filter.get()));
  return UnknownCallsDoNotExist() + rules;
}

}  // namespace assay
