#include "worker/build/builder.h"

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "base/file.h"
#include "base/sha256.h"
#include "base/status_macros.h"
#include "schema/binding.h"
#include "worker/build/artifact_cache.h"
#include "worker/build/build_folder.h"
#include "worker/build/build_plan.h"
#include "worker/build/disk_use.h"
#include "worker/build/gcc_toolchain.h"
#include "worker/build/keys_in_progress.h"
#include "worker/build/nvcc_toolchain.h"
#include "worker/build/option_words.h"
#include "worker/build/toolchain.h"

namespace assay {
namespace {

constexpr int kBackgroundNiceness = 10;

std::string BuildKey(const Toolchain& toolchain, const BuildPlan& plan,
                     const std::vector<std::string>& command) {
  FieldDigest digest("assay.build.v1");
  digest.Text(toolchain.Fingerprint(plan));
  digest.Text(plan.entry_advice);
  digest.Int(static_cast<int64_t>(command.size()));
  for (const std::string& word : command) digest.Text(word);
  digest.Int(static_cast<int64_t>(plan.files.size()));
  for (const BuildPlan::File& file : plan.files) {
    digest.Text(file.path).Text(file.content);
  }
  return digest.Hex();
}

// A failure that the same sources may not have another time.
bool MayBeTemporary(const SandboxRun& run) {
  return absl::StrContains(run.log, "signal terminated program") ||
         absl::StrContains(run.log, "died due to signal") ||
         absl::StrContains(run.log, "out of memory");
}

class CachingBuilder final : public Builder {
 public:
  CachingBuilder(Launcher& launcher, const Sandbox& sandbox,
                 ArtifactCache cache,
                 std::vector<std::unique_ptr<Toolchain>> toolchains,
                 std::vector<int> cpus)
      : launcher_(launcher),
        sandbox_(sandbox),
        cache_(std::move(cache)),
        toolchains_(std::move(toolchains)),
        cpus_(std::move(cpus)) {}

  absl::StatusOr<BuildResult> Build(
      const v1::Definition& definition, const v1::Solution& solution,
      absl::Duration timeout, const std::function<bool()>& is_off) override;
  std::vector<v1::BuildSpec::Language> languages() const override;
  std::vector<v1::BuildSpec::Binding> bindings() const override;
  std::vector<std::string> run_time_folders() const override;

 private:
  absl::StatusOr<const Toolchain*> ToolchainFor(
      const v1::BuildSpec& spec) const;
  absl::StatusOr<BuildResult> Compile(
      const Toolchain& toolchain, const BuildPlan& plan,
      const std::vector<std::string>& command, const std::string& key,
      absl::Duration timeout, const std::function<bool()>& is_off) const;

  Launcher& launcher_;
  const Sandbox& sandbox_;
  const ArtifactCache cache_;
  // One at least.
  const std::vector<std::unique_ptr<Toolchain>> toolchains_;
  const std::vector<int> cpus_;
  KeysInProgress keys_;
};

std::vector<v1::BuildSpec::Language> CachingBuilder::languages() const {
  std::vector<v1::BuildSpec::Language> languages;
  for (const auto& toolchain : toolchains_) {
    languages.push_back(toolchain->language());
  }
  return languages;
}

// The same for each language.
std::vector<v1::BuildSpec::Binding> CachingBuilder::bindings() const {
  return toolchains_.front()->bindings();
}

std::vector<std::string> CachingBuilder::run_time_folders() const {
  std::vector<std::string> folders;
  for (const auto& toolchain : toolchains_) {
    for (std::string& folder : toolchain->readable_paths()) {
      if (IsOneOf(folder, folders)) continue;
      folders.push_back(std::move(folder));
    }
  }
  return folders;
}

absl::StatusOr<const Toolchain*> CachingBuilder::ToolchainFor(
    const v1::BuildSpec& spec) const {
  const v1::BuildSpec::Binding binding = EffectiveBinding(spec);
  for (const auto& toolchain : toolchains_) {
    if (toolchain->language() == spec.language() &&
        IsOneOf(binding, toolchain->bindings())) {
      return toolchain.get();
    }
  }
  return absl::UnimplementedError(absl::StrCat(
      "this worker cannot build language \"", LanguageName(spec.language()),
      "\" with binding \"", BindingName(binding), "\""));
}

// What is refused before anything is run.
BuildResult Refused(const absl::Status& status) {
  BuildResult result;
  result.log = absl::StrCat("assay: ", status.message(), "\n");
  return result;
}

absl::StatusOr<BuildResult> CachingBuilder::Build(
    const v1::Definition& definition, const v1::Solution& solution,
    absl::Duration timeout, const std::function<bool()>& is_off) {
  ASSAY_ASSIGN_OR_RETURN(const Toolchain* toolchain,
                         ToolchainFor(solution.spec()));
  const absl::StatusOr<BuildPlan> plan = PlanBuild(definition, solution);
  if (!plan.ok()) return Refused(plan.status());
  const absl::StatusOr<std::vector<std::string>> command =
      toolchain->Command(*plan, kBuiltLibrary);
  if (!command.ok()) return Refused(command.status());
  const std::string key = BuildKey(*toolchain, *plan, *command);
  const KeyLock lock(keys_, key);
  ASSAY_ASSIGN_OR_RETURN(std::optional<Artifact> artifact, cache_.Find(key));
  if (!artifact) {
    return Compile(*toolchain, *plan, *command, key, timeout, is_off);
  }
  BuildResult result;
  result.outcome = artifact->library_path.empty() ? BuildResult::kCompileError
                                                  : BuildResult::kBuilt;
  result.library_path = std::move(artifact->library_path);
  result.log = std::move(artifact->log);
  result.cached = true;
  result.key = key;
  return result;
}

absl::StatusOr<BuildResult> CachingBuilder::Compile(
    const Toolchain& toolchain, const BuildPlan& plan,
    const std::vector<std::string>& command, const std::string& key,
    absl::Duration timeout, const std::function<bool()>& is_off) const {
  ASSAY_ASSIGN_OR_RETURN(const TempDir folder, cache_.CreateWorkFolder());
  ASSAY_RETURN_IF_ERROR(WriteBuildFolder(plan, folder.path()));
  SandboxProfile profile = BuildProfile(toolchain, folder.path());
  profile.limits.cpus = cpus_;
  profile.limits.nice = cpus_.empty() ? 0 : kBackgroundNiceness;
  ASSAY_ASSIGN_OR_RETURN(
      const SandboxRun run,
      sandbox_.Run(launcher_, profile, command, timeout, is_off));
  BuildResult result;
  result.key = key;
  if (run.timed_out) {
    result.outcome = BuildResult::kTimeout;
    result.log = absl::StrCat(run.log, "assay: the build was stopped after ",
                              absl::FormatDuration(timeout), "\n");
    return result;
  }
  if (!run.limit_hit.empty()) {
    // Not cached: another machine may allow more.
    result.log =
        absl::StrCat(run.log, "assay: the build was stopped because it ",
                     run.limit_hit, "\n");
    return result;
  }
  if (run.exit.success()) {
    ASSAY_ASSIGN_OR_RETURN(
        Artifact artifact,
        cache_.AddLibrary(key, folder.path() + "/lib.so", run.log));
    result.outcome = BuildResult::kBuilt;
    result.library_path = std::move(artifact.library_path);
    result.log = std::move(artifact.log);
    return result;
  }
  switch (JudgeDiskUse(MeasureDiskUse(folder.path()))) {
    case DiskFault::kNone:
      break;
    case DiskFault::kBuild:
      // Not cached: the cache is on the disk that it may have filled.
      result.log = absl::StrCat(run.log, "assay: the build took more than ",
                                kMaxBuildBytes >> 30,
                                " GiB of disk, which is the limit\n");
      return result;
    case DiskFault::kMachine:
      return absl::ResourceExhaustedError(
          absl::StrCat("the disk of the build cache is full, free some space: ",
                       absl::StripAsciiWhitespace(run.log)));
  }
  result.log = ExplainFailure(plan, run.log);
  if (!MayBeTemporary(run)) {
    ASSAY_RETURN_IF_ERROR(cache_.AddError(key, result.log));
  }
  return result;
}

absl::StatusOr<std::unique_ptr<Toolchain>> CreateGcc(
    Launcher& launcher, const Sandbox& sandbox, const BuilderOptions& options) {
  GccOptions gcc;
  gcc.cxx = options.cxx;
  gcc.tvm_ffi_dir = options.tvm_ffi_dir;
  gcc.torch = options.torch;
  if (options.cuda) {
    gcc.cuda_include_dir = options.cuda->toolkit.include_folder();
    gcc.cuda_version = options.cuda->toolkit.version;
  }
  gcc.memory_bytes = options.compiler_memory_bytes;
  return GccToolchain::Create(launcher, sandbox, std::move(gcc));
}

absl::StatusOr<std::unique_ptr<Toolchain>> CreateNvcc(
    Launcher& launcher, const Sandbox& sandbox, const BuilderOptions& options) {
  NvccOptions nvcc;
  nvcc.places.toolkit = options.cuda->toolkit;
  nvcc.places.cutlass_dir = options.cuda->cutlass_dir;
  nvcc.architectures = options.cuda->architectures;
  nvcc.cxx = options.cxx;
  nvcc.tvm_ffi_dir = options.tvm_ffi_dir;
  nvcc.torch = options.torch;
  nvcc.memory_bytes = options.cuda->compiler_memory_bytes;
  return NvccToolchain::Create(launcher, sandbox, std::move(nvcc));
}

}  // namespace

absl::StatusOr<std::unique_ptr<Builder>> Builder::Create(
    Launcher& launcher, const Sandbox& sandbox, const BuilderOptions& options) {
  ASSAY_ASSIGN_OR_RETURN(ArtifactCache cache,
                         ArtifactCache::Open(options.cache_dir));
  std::vector<std::unique_ptr<Toolchain>> toolchains;
  ASSAY_ASSIGN_OR_RETURN(std::unique_ptr<Toolchain> gcc,
                         CreateGcc(launcher, sandbox, options));
  toolchains.push_back(std::move(gcc));
  if (options.cuda) {
    ASSAY_ASSIGN_OR_RETURN(std::unique_ptr<Toolchain> nvcc,
                           CreateNvcc(launcher, sandbox, options));
    toolchains.push_back(std::move(nvcc));
  }
  return std::make_unique<CachingBuilder>(launcher, sandbox, std::move(cache),
                                          std::move(toolchains), options.cpus);
}

}  // namespace assay
