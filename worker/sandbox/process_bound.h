// Whether the kernel can bound the processes of a sandbox.
//
//   if (CanBoundProcesses(geteuid(), KernelRelease())) ...
//
// Thread-safe.

#ifndef ASSAY_WORKER_SANDBOX_PROCESS_BOUND_H_
#define ASSAY_WORKER_SANDBOX_PROCESS_BOUND_H_

#include <sys/types.h>

#include <string>

namespace assay {

// As uname(2) gives it: "6.1.0-37-amd64".
std::string KernelRelease();

// Whether RLIMIT_NPROC, set in a user namespace, bounds the processes in it
// that are the user's, and them alone. Never for root; for others before
// Linux 5.14 it counts whatever they run elsewhere, too.
bool CanBoundProcesses(uid_t user, const std::string& kernel_release);

}  // namespace assay

#endif  // ASSAY_WORKER_SANDBOX_PROCESS_BOUND_H_
