#include "worker/build/compiler_probe.h"

#include <unistd.h>

#include <filesystem>
#include <system_error>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "base/file.h"
#include "base/status_macros.h"

namespace assay {
namespace {

constexpr absl::Duration kProbeTimeout = absl::Seconds(60);

}  // namespace

absl::StatusOr<std::string> FindCompiler(const std::string& name) {
  std::vector<std::string> candidates = {name};
  if (!absl::StrContains(name, '/')) {
    candidates = {"/usr/local/bin/" + name, "/usr/bin/" + name, "/bin/" + name};
  }
  for (const std::string& candidate : candidates) {
    if (access(candidate.c_str(), X_OK) == 0) return candidate;
  }
  return absl::FailedPreconditionError(
      absl::StrCat("there is no compiler \"", name,
                   "\"; install the package g++ or name another one"));
}

absl::StatusOr<std::string> FindTvmFfi(const std::string& folder) {
  std::error_code error;
  const std::filesystem::path header =
      std::filesystem::canonical(folder + "/include/dlpack/dlpack.h", error);
  if (error) {
    return absl::FailedPreconditionError(absl::StrCat(
        "there is no include/dlpack/dlpack.h in the tvm_ffi folder \"", folder,
        "\": install apache-tvm-ffi (setup.sh does) and name its folder with "
        "ASSAY_TVM_FFI_DIR"));
  }
  return header.parent_path().parent_path().parent_path().string();
}

absl::StatusOr<std::string> OutputOf(
    Launcher& launcher, const Sandbox& sandbox,
    const std::vector<std::string>& readable_paths,
    const std::vector<std::string>& command) {
  SandboxProfile profile;
  profile.environment = {"PATH=/usr/local/bin:/usr/bin:/bin", "LC_ALL=C"};
  profile.readable_paths = readable_paths;
  ASSAY_ASSIGN_OR_RETURN(
      SandboxRun run, sandbox.Run(launcher, profile, command, kProbeTimeout));
  if (run.timed_out || !run.exit.success()) {
    return absl::FailedPreconditionError(absl::StrCat(
        "the compiler \"", command[0], "\" does not work: ",
        run.timed_out ? "it does not end" : sandbox.DescribeExit(run.exit),
        ": ", run.log));
  }
  return std::move(run.log);
}

absl::Status DigestTvmFfi(const std::string& folder, FieldDigest& digest) {
  for (const char* file :
       {"include/dlpack/dlpack.h", "include/tvm/ffi/c_api.h", "_version.py"}) {
    ASSAY_ASSIGN_OR_RETURN(const std::string content,
                           ReadFile(absl::StrCat(folder, "/", file)));
    digest.Text(content);
  }
  return absl::OkStatus();
}

}  // namespace assay
