#include "worker/build/gcc_toolchain.h"

#include <unistd.h>

#include <filesystem>
#include <system_error>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "base/file.h"
#include "base/sha256.h"
#include "base/status_macros.h"

namespace assay {
namespace {

constexpr absl::Duration kProbeTimeout = absl::Seconds(60);

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

// Without symbolic links: in a sandbox their targets may be hidden.
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

absl::StatusOr<std::string> OutputOf(Launcher& launcher, const Sandbox& sandbox,
                                     const std::vector<std::string>& command) {
  SandboxProfile profile;
  profile.environment = {"PATH=/usr/local/bin:/usr/bin:/bin", "LC_ALL=C"};
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

}  // namespace

absl::StatusOr<std::unique_ptr<GccToolchain>> GccToolchain::Create(
    Launcher& launcher, const Sandbox& sandbox, const std::string& cxx,
    const std::string& tvm_ffi_dir) {
  ASSAY_ASSIGN_OR_RETURN(std::string compiler, FindCompiler(cxx));
  ASSAY_ASSIGN_OR_RETURN(std::string tvm_ffi, FindTvmFfi(tvm_ffi_dir));
  FieldDigest digest("assay.gcc.v1");
  const std::vector<std::vector<std::string>> commands = {
      {compiler, "--version"},
      // What -march=native means on this CPU.
      {compiler, "-O3", "-march=native", "-Q", "--help=target"},
      // Assembler and linker come in one package.
      {compiler, "-Wa,--version", "-c", "-x", "assembler", "/dev/null", "-o",
       "/dev/null"}};
  for (const std::vector<std::string>& command : commands) {
    ASSAY_ASSIGN_OR_RETURN(const std::string output,
                           OutputOf(launcher, sandbox, command));
    digest.Text(output);
  }
  for (const char* file :
       {"include/dlpack/dlpack.h", "include/tvm/ffi/c_api.h", "_version.py"}) {
    ASSAY_ASSIGN_OR_RETURN(const std::string content,
                           ReadFile(absl::StrCat(tvm_ffi, "/", file)));
    digest.Text(content);
  }
  std::unique_ptr<GccToolchain> toolchain(
      new GccToolchain(std::move(compiler), std::move(tvm_ffi)));
  toolchain->fingerprint_ = digest.Hex();
  return toolchain;
}

std::vector<std::string> GccToolchain::Command(
    const BuildPlan& plan, const std::string& library) const {
  const std::string include = absl::StrCat(tvm_ffi_dir_, "/include");
  std::vector<std::string> command = {
      cxx_,      "-std=c++17",           "-O3", "-march=native", "-fPIC",
      "-shared", "-fvisibility=default", "-I.", "-isystem",      include};
  std::vector<std::string> libraries;
  for (const std::string& option : plan.options) {
    if (absl::StartsWith(option, "-I")) {
      command.push_back(absl::StrCat("-I./", option.substr(2)));
    } else {
      (absl::StartsWith(option, "-l") ? libraries : command).push_back(option);
    }
  }
  // A name alone could be taken for an option, or for a file of options.
  for (const std::string& unit : plan.units) {
    command.push_back(absl::StrCat("./", unit));
  }
  // What is missing is found here, and not when the library is loaded.
  command.insert(command.end(),
                 {"-Wl,-z,defs", absl::StrCat("-Wl,--require-defined=",
                                              plan.exported_symbol)});
  command.insert(command.end(), libraries.begin(), libraries.end());
  if (plan.uses_tvm_ffi) {
    const std::string lib = absl::StrCat(tvm_ffi_dir_, "/lib");
    command.insert(command.end(), {absl::StrCat("-L", lib), "-ltvm_ffi",
                                   absl::StrCat("-Wl,-rpath,", lib)});
  }
  command.insert(command.end(), {"-o", library});
  return command;
}

std::vector<std::string> GccToolchain::readable_paths() const {
  return {absl::StrCat(tvm_ffi_dir_, "/include"),
          absl::StrCat(tvm_ffi_dir_, "/lib")};
}

}  // namespace assay
