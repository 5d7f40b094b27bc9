#include "worker/build/gcc_toolchain.h"

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "base/sha256.h"
#include "base/status_macros.h"
#include "worker/build/binding_flags.h"
#include "worker/build/compiler_probe.h"

namespace assay {
namespace {

absl::StatusOr<std::string> FingerprintOf(Launcher& launcher,
                                          const Sandbox& sandbox,
                                          const GccOptions& options) {
  FieldDigest digest("assay.gcc.v1");
  const std::vector<std::vector<std::string>> commands = {
      {options.cxx, "--version"},
      // What -march=native means on this CPU.
      {options.cxx, "-O3", "-march=native", "-Q", "--help=target"},
      // Assembler and linker come in one package.
      {options.cxx, "-Wa,--version", "-c", "-x", "assembler", "/dev/null", "-o",
       "/dev/null"}};
  for (const std::vector<std::string>& command : commands) {
    ASSAY_ASSIGN_OR_RETURN(const std::string output,
                           OutputOf(launcher, sandbox, {}, command));
    digest.Text(output);
  }
  ASSAY_RETURN_IF_ERROR(DigestTvmFfi(options.tvm_ffi_dir, digest));
  return digest.Hex();
}

}  // namespace

absl::StatusOr<std::unique_ptr<GccToolchain>> GccToolchain::Create(
    Launcher& launcher, const Sandbox& sandbox, GccOptions options) {
  ASSAY_ASSIGN_OR_RETURN(options.cxx, FindCompiler(options.cxx));
  ASSAY_ASSIGN_OR_RETURN(options.tvm_ffi_dir, FindTvmFfi(options.tvm_ffi_dir));
  ASSAY_ASSIGN_OR_RETURN(std::string fingerprint,
                         FingerprintOf(launcher, sandbox, options));
  return std::unique_ptr<GccToolchain>(
      new GccToolchain(std::move(options), std::move(fingerprint)));
}

std::vector<v1::BuildSpec::Binding> GccToolchain::bindings() const {
  return KnownBindings(options_.torch);
}

std::string GccToolchain::Fingerprint(const BuildPlan& plan) const {
  if (plan.binding != v1::BuildSpec::TORCH) return fingerprint_;
  return absl::StrCat(fingerprint_, " torch ", options_.torch->version,
                      " cuda ", options_.cuda_version);
}

absl::StatusOr<std::vector<std::string>> GccToolchain::Command(
    const BuildPlan& plan, const std::string& library) const {
  const BindingFlags binding =
      FlagsForBinding(plan.binding, options_.tvm_ffi_dir, options_.torch);
  std::vector<std::string> command = {
      options_.cxx, "-std=c++17",           "-O3", "-march=native", "-fPIC",
      "-shared",    "-fvisibility=default", "-I."};
  for (const std::string& folder : binding.include_dirs) {
    command.insert(command.end(), {"-isystem", folder});
  }
  if (plan.binding == v1::BuildSpec::TORCH &&
      !options_.cuda_include_dir.empty()) {
    command.insert(command.end(), {"-isystem", options_.cuda_include_dir});
  }
  for (const std::string& macro : binding.macros) {
    command.push_back(absl::StrCat("-D", macro));
  }
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
  if (binding.is_complete) command.emplace_back("-Wl,-z,defs");
  command.push_back(
      absl::StrCat("-Wl,--require-defined=", plan.exported_symbol));
  command.insert(command.end(), libraries.begin(), libraries.end());
  for (const std::string& folder : binding.library_dirs) {
    command.insert(command.end(), {absl::StrCat("-L", folder),
                                   absl::StrCat("-Wl,-rpath,", folder)});
  }
  for (const std::string& name : binding.libraries) {
    command.push_back(absl::StrCat("-l", name));
  }
  command.insert(command.end(), {"-o", library});
  return command;
}

std::vector<std::string> GccToolchain::readable_paths() const {
  std::vector<std::string> folders =
      BindingFolders(options_.tvm_ffi_dir, options_.torch);
  if (!options_.cuda_include_dir.empty()) {
    folders.push_back(options_.cuda_include_dir);
  }
  return folders;
}

}  // namespace assay
