#include "worker/worker_options.h"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "base/file.h"
#include "base/status_macros.h"

namespace assay {
namespace {

std::string Environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

constexpr int kMostBuildsAhead = 8;
constexpr int64_t kMostSandboxMemory = int64_t{32} << 30;

// The first of that name in PATH; empty when there is none.
std::string FindInPath(const std::string& name) {
  for (const absl::string_view folder :
       absl::StrSplit(Environment("PATH"), ':', absl::SkipEmpty())) {
    std::string path = absl::StrCat(folder, "/", name);
    if (path[0] == '/' && access(path.c_str(), X_OK) == 0) return path;
  }
  return "";
}

}  // namespace

absl::StatusOr<DeviceName> ParseDeviceName(absl::string_view text) {
  const std::pair<absl::string_view, absl::string_view> parts =
      absl::StrSplit(text, absl::MaxSplits(':', 1));
  DeviceName name;
  name.kind = std::string(parts.first);
  const bool has_number = parts.first.size() != text.size();
  const bool is_number =
      absl::SimpleAtoi(parts.second, &name.ordinal) && name.ordinal >= 0;
  if ((name.kind == "cpu" && !has_number) ||
      (name.kind == "cuda" && (!has_number || is_number))) {
    return name;
  }
  return absl::InvalidArgumentError(absl::StrCat(
      "unknown device \"", text, "\"; this worker knows: cpu, cuda, cuda:N"));
}

absl::StatusOr<std::string> FindPython(const WorkerOptions& options) {
  std::string python = options.python;
  if (python.empty()) {
    python =
        options.device == "cpu" ? "/usr/bin/python3" : FindInPath("python3");
  }
  if (python.empty()) {
    return absl::FailedPreconditionError(
        "there is no python3 in PATH; name one that has torch with --python");
  }
  if (python[0] == '/') return python;
  return absl::InvalidArgumentError(
      absl::StrCat("--python \"", python,
                   "\" is not an absolute path; give the whole path"));
}

int LeasesAtATime(const WorkerOptions& options, int cpus) {
  if (options.builds_ahead >= 0) return options.builds_ahead + 1;
  if (options.device == "cpu") return 1;
  return std::clamp(cpus / 2, 1, kMostBuildsAhead) + 1;
}

absl::StatusOr<WorkerFiles> FindWorkerFiles(const WorkerOptions& options) {
  ASSAY_ASSIGN_OR_RETURN(const std::string programs, ProgramDirectory());
  const std::string prefix = absl::StrCat(programs, "/..");
  const std::string libexec = absl::StrCat(prefix, "/libexec/assay");
  WorkerFiles files;
  files.launcher = absl::StrCat(libexec, "/assay-launcher");
  files.runner = absl::StrCat(libexec, "/assay-runner");
  files.harness = absl::StrCat(libexec, "/libassay_harness.so");
  files.probe = absl::StrCat(libexec, "/assay-sandbox-probe");
  files.enter = absl::StrCat(libexec, "/assay-enter");
  files.python_package = absl::StrCat(libexec, "/python");
  files.tvm_ffi_dir = options.tvm_ffi_dir;
  if (files.tvm_ffi_dir.empty()) {
    files.tvm_ffi_dir = Environment("ASSAY_TVM_FFI_DIR");
  }
  if (files.tvm_ffi_dir.empty()) {
    files.tvm_ffi_dir = absl::StrCat(prefix, "/share/assay/tvm_ffi");
  }
  for (std::string* path :
       {&files.launcher, &files.runner, &files.harness, &files.probe,
        &files.enter, &files.python_package, &files.tvm_ffi_dir}) {
    char* resolved = realpath(path->c_str(), nullptr);
    if (resolved == nullptr) {
      return absl::NotFoundError(
          absl::StrCat("\"", *path,
                       "\" is missing; start assay-worker from an "
                       "installation made by tools/stage.sh"));
    }
    *path = resolved;
    free(resolved);
  }
  files.bubblewrap = absl::StrCat(libexec, "/bwrap");
  if (access(files.bubblewrap.c_str(), X_OK) != 0) files.bubblewrap = "bwrap";
  return files;
}

absl::Duration SandboxCpuTime(const WorkerOptions& options) {
  if (options.sandbox_cpu_seconds > 0) {
    return absl::Seconds(options.sandbox_cpu_seconds);
  }
  cpu_set_t usable;
  const bool is_known = sched_getaffinity(0, sizeof(usable), &usable) == 0;
  return absl::Hours(is_known ? CPU_COUNT(&usable) : 1);
}

int64_t SandboxMemoryBytes(const WorkerOptions& options) {
  if (options.sandbox_memory_bytes > 0) return options.sandbox_memory_bytes;
  const int64_t machine =
      int64_t{sysconf(_SC_PHYS_PAGES)} * sysconf(_SC_PAGESIZE);
  return std::min(machine / 2, kMostSandboxMemory);
}

absl::StatusOr<std::string> CacheDirectory(const WorkerOptions& options) {
  std::string folder = options.cache_dir;
  if (folder.empty() && !Environment("XDG_CACHE_HOME").empty()) {
    folder = absl::StrCat(Environment("XDG_CACHE_HOME"), "/assay");
  }
  if (folder.empty() && !Environment("HOME").empty()) {
    folder = absl::StrCat(Environment("HOME"), "/.cache/assay");
  }
  if (folder.empty()) {
    return absl::FailedPreconditionError(
        "there is no home folder to keep the cache in; name one with --cache");
  }
  ASSAY_RETURN_IF_ERROR(CreateDirectories(folder));
  char* resolved = realpath(folder.c_str(), nullptr);
  if (resolved != nullptr) folder = resolved;
  free(resolved);
  return folder;
}

std::string WorkerId(const WorkerOptions& options) {
  if (!options.id.empty()) return options.id;
  char host[256] = "localhost";
  gethostname(host, sizeof(host) - 1);
  std::string id;
  for (const char c : absl::StrCat(host, "-", options.device)) {
    id.push_back(absl::ascii_isalnum(c) || c == '-' || c == '.' ? c : '_');
  }
  return id.substr(0, 100);
}

}  // namespace assay
