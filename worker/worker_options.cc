#include "worker/worker_options.h"

#include <unistd.h>

#include <cstdlib>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "base/file.h"
#include "base/status_macros.h"

namespace assay {
namespace {

std::string Environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

}  // namespace

absl::StatusOr<WorkerFiles> FindWorkerFiles(const WorkerOptions& options) {
  ASSAY_ASSIGN_OR_RETURN(const std::string programs, ProgramDirectory());
  const std::string prefix = absl::StrCat(programs, "/..");
  const std::string libexec = absl::StrCat(prefix, "/libexec/assay");
  WorkerFiles files;
  files.launcher = absl::StrCat(libexec, "/assay-launcher");
  files.runner = absl::StrCat(libexec, "/assay-runner");
  files.harness = absl::StrCat(libexec, "/libassay_harness.so");
  files.python_package = absl::StrCat(libexec, "/python");
  files.tvm_ffi_dir = options.tvm_ffi_dir;
  if (files.tvm_ffi_dir.empty()) {
    files.tvm_ffi_dir = Environment("ASSAY_TVM_FFI_DIR");
  }
  if (files.tvm_ffi_dir.empty()) {
    files.tvm_ffi_dir = absl::StrCat(prefix, "/share/assay/tvm_ffi");
  }
  for (std::string* path : {&files.launcher, &files.runner, &files.harness,
                            &files.python_package, &files.tvm_ffi_dir}) {
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
  return files;
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
