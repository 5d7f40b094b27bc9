// The filter of system calls that confined processes run under.
//
// Everything is allowed that the lists do not name, up to the last call that
// was known when they were written; later ones "do not exist" (ENOSYS), so that
// a new kernel brings nothing that nobody has looked at. Calls of another
// architecture (32 bits, x32) kill the process: they would go around the lists.

#ifndef ASSAY_WORKER_SANDBOX_SECCOMP_FILTER_H_
#define ASSAY_WORKER_SANDBOX_SECCOMP_FILTER_H_

#include <string>

#include "absl/status/statusor.h"

namespace assay {

enum class SeccompKind {
  // For programs of strangers: compilers, solutions, references.
  kProgram,
  // For those that use a GPU, whose driver needs a little more.
  kGpuProgram,
  // For the Python zygote, which runs nobody's code: it may make namespaces for
  // its children, which then take a filter above.
  kZygote,
};

// The program for the kernel: an array of sock_filter as bytes, which is what
// bubblewrap and prctl(PR_SET_SECCOMP) want. UNIMPLEMENTED when libseccomp
// knows nothing of this machine.
absl::StatusOr<std::string> CompileSeccompFilter(SeccompKind kind);

}  // namespace assay

#endif  // ASSAY_WORKER_SANDBOX_SECCOMP_FILTER_H_
