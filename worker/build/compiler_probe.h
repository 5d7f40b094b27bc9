// What toolchains ask about the programs and packages on this machine.

#ifndef ASSAY_WORKER_BUILD_COMPILER_PROBE_H_
#define ASSAY_WORKER_BUILD_COMPILER_PROBE_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/sha256.h"
#include "worker/launcher/launcher.h"
#include "worker/sandbox/sandbox.h"

namespace assay {

// The path of a compiler that is given as a path or as a name in
// /usr/local/bin, /usr/bin or /bin. FAILED_PRECONDITION when there is none.
absl::StatusOr<std::string> FindCompiler(const std::string& name);

// The `tvm_ffi` folder of an installed apache-tvm-ffi package, without symbolic
// links: in a sandbox their targets may be hidden. FAILED_PRECONDITION when
// `folder` is none.
absl::StatusOr<std::string> FindTvmFfi(const std::string& folder);

// What `command` prints when it is run confined, seeing `readable_paths`.
// FAILED_PRECONDITION when it fails.
absl::StatusOr<std::string> OutputOf(
    Launcher& launcher, const Sandbox& sandbox,
    const std::vector<std::string>& readable_paths,
    const std::vector<std::string>& command);

// Adds the headers of tvm-ffi that programs depend on.
absl::Status DigestTvmFfi(const std::string& folder, FieldDigest& digest);

}  // namespace assay

#endif  // ASSAY_WORKER_BUILD_COMPILER_PROBE_H_
