#include "worker/build/builder.h"

#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/synchronization/mutex.h"
#include "base/file.h"
#include "base/sha256.h"
#include "base/status_macros.h"
#include "schema/binding.h"
#include "worker/build/artifact_cache.h"
#include "worker/build/build_plan.h"
#include "worker/build/disk_use.h"
#include "worker/build/gcc_toolchain.h"
#include "worker/build/toolchain.h"

namespace assay {
namespace {

constexpr int64_t kMaxFileBytes = int64_t{512} << 20;
constexpr int64_t kMaxProcesses = 4096;

// The library's path as the compiler sees it, from the folder of the sources.
constexpr char kLibrary[] = "../lib.so";

// Keys that are being built, so that each is built once at a time.
class KeysInProgress {
 public:
  // Waits until nobody else has the key.
  void Acquire(const std::string& key) {
    absl::MutexLock lock(&mutex_);
    const auto is_free = [this, &key]() ABSL_SHARED_LOCKS_REQUIRED(mutex_) {
      return keys_.count(key) == 0;
    };
    mutex_.Await(absl::Condition(&is_free));
    keys_.insert(key);
  }

  void Release(const std::string& key) {
    absl::MutexLock lock(&mutex_);
    keys_.erase(key);
  }

 private:
  absl::Mutex mutex_;
  std::set<std::string> keys_ ABSL_GUARDED_BY(mutex_);
};

class KeyLock {
 public:
  KeyLock(KeysInProgress& keys, const std::string& key)
      : keys_(keys), key_(key) {
    keys_.Acquire(key_);
  }
  ~KeyLock() { keys_.Release(key_); }
  KeyLock(const KeyLock&) = delete;
  KeyLock& operator=(const KeyLock&) = delete;

 private:
  KeysInProgress& keys_;
  const std::string key_;
};

std::string BuildKey(const Toolchain& toolchain, const BuildPlan& plan,
                     const std::vector<std::string>& command) {
  FieldDigest digest("assay.build.v1");
  digest.Text(toolchain.fingerprint());
  digest.Text(plan.entry_advice);
  digest.Int(static_cast<int64_t>(command.size()));
  for (const std::string& word : command) digest.Text(word);
  digest.Int(static_cast<int64_t>(plan.files.size()));
  for (const BuildPlan::File& file : plan.files) {
    digest.Text(file.path).Text(file.content);
  }
  return digest.Hex();
}

absl::Status WriteSources(const BuildPlan& plan, const std::string& folder) {
  for (const BuildPlan::File& file : plan.files) {
    const std::string path = absl::StrCat(folder, "/", file.path);
    ASSAY_RETURN_IF_ERROR(
        CreateDirectories(std::filesystem::path(path).parent_path().string()));
    ASSAY_RETURN_IF_ERROR(WriteFileAtomically(path, file.content));
  }
  return absl::OkStatus();
}

SandboxProfile BuildProfile(const Toolchain& toolchain,
                            const std::string& folder, int64_t memory_bytes) {
  SandboxProfile profile;
  profile.readable_paths = toolchain.readable_paths();
  profile.writable_paths = {folder};
  profile.working_directory = folder + "/src";
  // Compilers name temporary files by process id, which is the same in every
  // pid namespace: each build has a folder for them.
  profile.environment = {"PATH=/usr/local/bin:/usr/bin:/bin", "LC_ALL=C",
                         "HOME=/tmp", absl::StrCat("TMPDIR=", folder, "/tmp")};
  profile.limits.file_bytes = kMaxFileBytes;
  profile.limits.processes = kMaxProcesses;
  profile.limits.address_space_bytes = memory_bytes;
  return profile;
}

// A failure that the same sources may not have another time.
bool MayBeTemporary(const SandboxRun& run) {
  return absl::StrContains(run.log, "signal terminated program") ||
         absl::StrContains(run.log, "out of memory");
}

class CachingBuilder final : public Builder {
 public:
  CachingBuilder(Launcher& launcher, const Sandbox& sandbox,
                 ArtifactCache cache, std::unique_ptr<Toolchain> cpp,
                 int64_t memory_bytes)
      : launcher_(launcher),
        sandbox_(sandbox),
        cache_(std::move(cache)),
        cpp_(std::move(cpp)),
        memory_bytes_(memory_bytes) {}

  absl::StatusOr<BuildResult> Build(const v1::Definition& definition,
                                    const v1::Solution& solution,
                                    absl::Duration timeout) override;

 private:
  absl::StatusOr<const Toolchain*> ToolchainFor(
      const v1::BuildSpec& spec) const;
  absl::StatusOr<BuildResult> Compile(const Toolchain& toolchain,
                                      const BuildPlan& plan,
                                      const std::vector<std::string>& command,
                                      const std::string& key,
                                      absl::Duration timeout) const;

  Launcher& launcher_;
  const Sandbox& sandbox_;
  const ArtifactCache cache_;
  const std::unique_ptr<Toolchain> cpp_;
  const int64_t memory_bytes_;
  KeysInProgress keys_;
};

absl::StatusOr<const Toolchain*> CachingBuilder::ToolchainFor(
    const v1::BuildSpec& spec) const {
  const v1::BuildSpec::Binding binding = EffectiveBinding(spec);
  if (spec.language() != v1::BuildSpec::CPP ||
      (binding != v1::BuildSpec::C && binding != v1::BuildSpec::TVM_FFI)) {
    return absl::UnimplementedError(absl::StrCat(
        "this worker cannot build language \"", LanguageName(spec.language()),
        "\" with binding \"", BindingName(binding), "\""));
  }
  return cpp_.get();
}

absl::StatusOr<BuildResult> CachingBuilder::Build(
    const v1::Definition& definition, const v1::Solution& solution,
    absl::Duration timeout) {
  ASSAY_ASSIGN_OR_RETURN(const Toolchain* toolchain,
                         ToolchainFor(solution.spec()));
  const absl::StatusOr<BuildPlan> plan = PlanBuild(definition, solution);
  BuildResult result;
  if (!plan.ok()) {
    result.log = absl::StrCat("assay: ", plan.status().message(), "\n");
    return result;
  }
  const std::vector<std::string> command = toolchain->Command(*plan, kLibrary);
  const std::string key = BuildKey(*toolchain, *plan, command);
  const KeyLock lock(keys_, key);
  ASSAY_ASSIGN_OR_RETURN(std::optional<Artifact> artifact, cache_.Find(key));
  if (!artifact) return Compile(*toolchain, *plan, command, key, timeout);
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
    absl::Duration timeout) const {
  ASSAY_ASSIGN_OR_RETURN(const TempDir folder, cache_.CreateWorkFolder());
  ASSAY_RETURN_IF_ERROR(CreateDirectories(folder.path() + "/tmp"));
  ASSAY_RETURN_IF_ERROR(WriteSources(plan, folder.path() + "/src"));
  ASSAY_ASSIGN_OR_RETURN(
      const SandboxRun run,
      sandbox_.Run(launcher_,
                   BuildProfile(toolchain, folder.path(), memory_bytes_),
                   command, timeout));
  BuildResult result;
  result.key = key;
  if (run.timed_out) {
    result.outcome = BuildResult::kTimeout;
    result.log = absl::StrCat(run.log, "assay: the build was stopped after ",
                              absl::FormatDuration(timeout), "\n");
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

}  // namespace

absl::StatusOr<std::unique_ptr<Builder>> Builder::Create(
    Launcher& launcher, const Sandbox& sandbox, const BuilderOptions& options) {
  ASSAY_ASSIGN_OR_RETURN(ArtifactCache cache,
                         ArtifactCache::Open(options.cache_dir));
  ASSAY_ASSIGN_OR_RETURN(std::unique_ptr<GccToolchain> cpp,
                         GccToolchain::Create(launcher, sandbox, options.cxx,
                                              options.tvm_ffi_dir));
  return std::make_unique<CachingBuilder>(launcher, sandbox, std::move(cache),
                                          std::move(cpp),
                                          options.compiler_memory_bytes);
}

}  // namespace assay
