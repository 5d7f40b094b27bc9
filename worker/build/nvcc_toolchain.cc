#include "worker/build/nvcc_toolchain.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <system_error>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/time/time.h"
#include "base/file.h"
#include "base/sha256.h"
#include "base/status_macros.h"
#include "worker/build/binding_flags.h"
#include "worker/build/build_folder.h"
#include "worker/build/compiler_probe.h"
#include "worker/build/nvcc_options.h"

namespace assay {
namespace {

// What torch compiles its own extensions with: its headers bring operators and
// conversions of the half types that CUDA's would make ambiguous.
constexpr const char* kTorchOptions[] = {
    "-D__CUDA_NO_HALF_OPERATORS__", "-D__CUDA_NO_HALF_CONVERSIONS__",
    "-D__CUDA_NO_BFLOAT16_CONVERSIONS__", "-D__CUDA_NO_HALF2_OPERATORS__",
    "--expt-relaxed-constexpr"};

constexpr char kCutlassVersion[] = "/include/cutlass/version.h";

// Headers that say the versions of what code is compiled against, in the
// layouts of several toolkits, which have some of them.
constexpr const char* kVersionHeaders[] = {
    "/cuda_runtime_api.h", "/cuda/std/__cccl/version.h",
    "/cccl/cuda/std/__cccl/version.h", "/cub/version.cuh",
    "/cccl/cub/version.cuh"};

// Device and host code, and a call of the runtime to be linked.
constexpr char kTrialSource[] =
    "__global__ void Trial(float* x) { *x *= 2; }\n"
    "extern \"C\" int trial(float* x) { Trial<<<1, 1>>>(x);\n"
    "return static_cast<int>(cudaGetLastError()); }\n";
constexpr absl::Duration kTrialTimeout = absl::Minutes(2);

BuildPlan TrialPlan() {
  BuildPlan plan;
  plan.files = {{"trial.cu", kTrialSource}};
  plan.units = {"trial.cu"};
  plan.binding = v1::BuildSpec::C;
  plan.exported_symbol = plan.symbol = "trial";
  return plan;
}

// A compiler that says its version may still fail at everything, for example
// since it does not take this g++: no fault of the solutions.
absl::Status CheckThatItBuilds(Launcher& launcher, const Sandbox& sandbox,
                               const NvccToolchain& toolchain) {
  const BuildPlan plan = TrialPlan();
  ASSAY_ASSIGN_OR_RETURN(const TempDir folder, TempDir::Create("assay-build-"));
  ASSAY_RETURN_IF_ERROR(WriteBuildFolder(plan, folder.path()));
  ASSAY_ASSIGN_OR_RETURN(const std::vector<std::string> command,
                         toolchain.Command(plan, kBuiltLibrary));
  ASSAY_ASSIGN_OR_RETURN(
      const SandboxRun run,
      sandbox.Run(launcher, BuildProfile(toolchain, folder.path()), command,
                  kTrialTimeout));
  if (!run.timed_out && run.exit.success()) return absl::OkStatus();
  return absl::FailedPreconditionError(absl::StrCat(
      "the compilers \"", command[0], "\" and \"", toolchain.cxx(),
      "\" cannot build even a kernel of one line together; install versions "
      "that fit each other: ",
      run.timed_out ? "they do not end" : sandbox.DescribeExit(run.exit), ": ",
      absl::StripAsciiWhitespace(run.log)));
}

// What is there of these, by content.
void DigestFiles(const std::vector<std::string>& paths, FieldDigest& digest) {
  for (const std::string& path : paths) {
    const absl::StatusOr<std::string> content = ReadFile(path);
    digest.Text(content.ok() ? *content : "");
  }
}

absl::StatusOr<std::string> FingerprintOf(Launcher& launcher,
                                          const Sandbox& sandbox,
                                          const NvccOptions& options) {
  const CudaToolkit& toolkit = options.places.toolkit;
  FieldDigest digest("assay.nvcc.v2");
  const std::vector<std::vector<std::string>> commands = {
      {toolkit.nvcc(), "--version"},
      {toolkit.folder + "/bin/ptxas", "--version"},
      {options.cxx, "--version"},
      // What -Xcompiler=-march=native means on this CPU.
      {options.cxx, "-O3", "-march=native", "-Q", "--help=target"},
      // Assembler and linker come in one package.
      {options.cxx, "-Wa,--version", "-c", "-x", "assembler", "/dev/null", "-o",
       "/dev/null"}};
  for (const std::vector<std::string>& command : commands) {
    ASSAY_ASSIGN_OR_RETURN(
        const std::string output,
        OutputOf(launcher, sandbox, {toolkit.folder}, command));
    digest.Text(output);
  }
  digest.Text(toolkit.version);
  // The compiler of device code, which does not say its version.
  std::vector<std::string> files = {toolkit.folder + "/nvvm/bin/cicc"};
  for (const char* header : kVersionHeaders) {
    files.push_back(toolkit.include_folder() + header);
  }
  ASSAY_RETURN_IF_ERROR(DigestTvmFfi(options.tvm_ffi_dir, digest));
  if (!options.places.cutlass_dir.empty()) {
    // Older ones have no such file.
    files.push_back(options.places.cutlass_dir + kCutlassVersion);
  }
  DigestFiles(files, digest);
  return digest.Hex();
}

absl::Status CheckArchitectures(Launcher& launcher, const Sandbox& sandbox,
                                const NvccOptions& options) {
  const CudaToolkit& toolkit = options.places.toolkit;
  ASSAY_ASSIGN_OR_RETURN(const std::string output,
                         OutputOf(launcher, sandbox, {toolkit.folder},
                                  {toolkit.nvcc(), "--list-gpu-code"}));
  const std::vector<absl::string_view> known =
      absl::StrSplit(output, absl::ByAnyChar(" \n"), absl::SkipEmpty());
  for (CudaArchitecture architecture : options.architectures) {
    const std::string name = architecture.Name();
    // Listed without.
    architecture.features.clear();
    if (std::find(known.begin(), known.end(), architecture.SmName()) !=
        known.end()) {
      continue;
    }
    return absl::FailedPreconditionError(absl::StrCat(
        "the compiler \"", toolkit.nvcc(), "\" of CUDA ", toolkit.version,
        " does not know the architecture \"", name, "\", but ",
        absl::StrJoin(known, " "), "; install another CUDA toolkit"));
  }
  return absl::OkStatus();
}

bool Makes(const std::vector<std::string>& options, absl::string_view setting) {
  return std::any_of(options.begin(), options.end(),
                     [setting](const std::string& option) {
                       return NvccSetting(option) == setting;
                     });
}

bool HasRelocatableCode(const std::vector<std::string>& options) {
  return std::any_of(
      options.begin(), options.end(), [](const std::string& option) {
        return NvccSetting(option) == "relocatable-device-code" &&
               absl::EndsWith(option, "=true");
      });
}

}  // namespace

absl::StatusOr<std::unique_ptr<NvccToolchain>> NvccToolchain::Create(
    Launcher& launcher, const Sandbox& sandbox, NvccOptions options) {
  ASSAY_ASSIGN_OR_RETURN(options.cxx, FindCompiler(options.cxx));
  ASSAY_ASSIGN_OR_RETURN(options.tvm_ffi_dir, FindTvmFfi(options.tvm_ffi_dir));
  ASSAY_ASSIGN_OR_RETURN(std::string fingerprint,
                         FingerprintOf(launcher, sandbox, options));
  ASSAY_RETURN_IF_ERROR(CheckArchitectures(launcher, sandbox, options));
  std::unique_ptr<NvccToolchain> toolchain(
      new NvccToolchain(std::move(options), std::move(fingerprint)));
  ASSAY_RETURN_IF_ERROR(CheckThatItBuilds(launcher, sandbox, *toolchain));
  return toolchain;
}

std::vector<v1::BuildSpec::Binding> NvccToolchain::bindings() const {
  return KnownBindings(options_.torch);
}

std::string NvccToolchain::Fingerprint(const BuildPlan& plan) const {
  std::string result = fingerprint_;
  if (plan.binding == v1::BuildSpec::TORCH) {
    absl::StrAppend(&result, " torch ", options_.torch->version);
  }
  const absl::StatusOr<CudaDependencyFlags> needs =
      ResolveCudaDependencies(options_.places, plan.dependencies);
  if (!needs.ok()) return result;
  for (const std::string& library : needs->libraries) {
    // The file's own name has the version in most installations.
    std::error_code error;
    const std::filesystem::path file =
        std::filesystem::canonical(library, error);
    absl::StrAppend(&result, " ", file.filename().string(), " ",
                    std::filesystem::file_size(file, error));
  }
  return result;
}

void NvccToolchain::AddCompiling(const BuildPlan& plan,
                                 const CudaDependencyFlags& needs,
                                 std::vector<std::string>& command) const {
  if (!Makes(plan.options, "std")) command.emplace_back("-std=c++17");
  if (!Makes(plan.options, "optimize")) command.emplace_back("-O3");
  const bool has_many =
      plan.units.size() > 1 || options_.architectures.size() > 1;
  if (has_many && !Makes(plan.options, "threads")) {
    command.emplace_back("--threads=0");
  }
  for (const CudaArchitecture& architecture : options_.architectures) {
    command.push_back(architecture.GencodeOption());
  }
  command.insert(command.end(), {"-Xcompiler=-fPIC", "-I."});
  const BindingFlags binding =
      FlagsForBinding(plan.binding, options_.tvm_ffi_dir, options_.torch);
  for (const auto* folders : {&binding.include_dirs, &needs.include_dirs}) {
    for (const std::string& folder : *folders) {
      command.push_back(absl::StrCat("-isystem=", folder));
    }
  }
  for (const std::string& macro : binding.macros) {
    command.push_back(absl::StrCat("-D", macro));
  }
  if (plan.binding == v1::BuildSpec::TORCH) {
    command.insert(command.end(), std::begin(kTorchOptions),
                   std::end(kTorchOptions));
  }
  command.insert(command.end(), needs.options.begin(), needs.options.end());
  for (const std::string& option : plan.options) {
    command.push_back(absl::StartsWith(option, "-I")
                          ? absl::StrCat("-I./", option.substr(2))
                          : option);
  }
  // A name alone could be taken for an option, or for a file of options.
  for (const std::string& unit : plan.units) {
    command.push_back(absl::StrCat("./", unit));
  }
}

void NvccToolchain::AddLinking(const BuildPlan& plan,
                               const CudaDependencyFlags& needs,
                               std::vector<std::string>& command) const {
  // Without relocatable code there is nothing for the device's linker, which
  // takes a tenth of a small build.
  if (!HasRelocatableCode(plan.options)) {
    command.emplace_back("--no-device-link");
  }
  const BindingFlags binding =
      FlagsForBinding(plan.binding, options_.tvm_ffi_dir, options_.torch);
  // What is missing is found here, and not when the library is loaded.
  if (binding.is_complete) command.emplace_back("-Xlinker=-z,defs");
  command.push_back(
      absl::StrCat("-Xlinker=--require-defined=", plan.exported_symbol));
  for (const auto* folders : {&binding.library_dirs, &needs.run_time_folders}) {
    for (const std::string& folder : *folders) {
      command.push_back(absl::StrCat("-Xlinker=-rpath,", folder));
    }
  }
  // By the names of their files, since some come without the short name.
  for (const std::string& library : needs.libraries) {
    const std::filesystem::path path = library;
    command.insert(command.end(),
                   {absl::StrCat("-L", path.parent_path().string()),
                    absl::StrCat("-l:", path.filename().string())});
  }
  for (const std::string& folder : binding.library_dirs) {
    command.push_back(absl::StrCat("-L", folder));
  }
  for (const std::string& name : binding.libraries) {
    command.push_back(absl::StrCat("-l", name));
  }
  // For the runtime: the compiler does not look in every layout's folder.
  for (const std::string& folder : options_.places.toolkit.LibraryFolders()) {
    command.push_back(absl::StrCat("-L", folder));
  }
}

absl::StatusOr<std::vector<std::string>> NvccToolchain::Command(
    const BuildPlan& plan, const std::string& library) const {
  ASSAY_ASSIGN_OR_RETURN(
      const CudaDependencyFlags needs,
      ResolveCudaDependencies(options_.places, plan.dependencies));
  std::vector<std::string> command = {options_.places.toolkit.nvcc(),
                                      absl::StrCat("-ccbin=", options_.cxx),
                                      "--shared"};
  AddCompiling(plan, needs, command);
  AddLinking(plan, needs, command);
  command.insert(command.end(), {"-o", library});
  return command;
}

std::vector<std::string> NvccToolchain::readable_paths() const {
  std::vector<std::string> folders =
      BindingFolders(options_.tvm_ffi_dir, options_.torch);
  folders.push_back(options_.places.toolkit.folder);
  const std::string beside =
      std::filesystem::path(options_.places.toolkit.folder)
          .parent_path()
          .string() +
      "/cudnn";
  std::error_code error;
  if (std::filesystem::is_directory(beside, error)) folders.push_back(beside);
  if (!options_.places.cutlass_dir.empty()) {
    folders.push_back(options_.places.cutlass_dir);
  }
  return folders;
}

}  // namespace assay
