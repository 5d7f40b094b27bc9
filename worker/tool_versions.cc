#include "worker/tool_versions.h"

#include <filesystem>
#include <memory>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "absl/time/time.h"
#include "worker/log_capture.h"

namespace assay {
namespace {

// Looks packages up without importing them, which would take seconds.
constexpr char kPythonProgram[] = R"(
import importlib.metadata, platform
print("python=" + platform.python_version())
for name in ("torch", "numpy", "triton"):
    try:
        print(name + "=" + importlib.metadata.version(name))
    except importlib.metadata.PackageNotFoundError:
        pass
)";

// What the command prints; empty when it fails.
std::string OutputOf(Launcher& launcher, std::vector<std::string> command) {
  absl::StatusOr<std::unique_ptr<LogCapture>> log = LogCapture::Start();
  if (!log.ok()) return "";
  SpawnOptions options;
  options.argv = std::move(command);
  options.env = {"PATH=/usr/local/bin:/usr/bin:/bin", "LC_ALL=C.UTF-8"};
  options.fds = {{(*log)->write_fd(), 1}};
  const absl::StatusOr<std::unique_ptr<Process>> process =
      launcher.Spawn(options);
  if (!process.ok()) return "";
  const absl::StatusOr<ExitStatus> exit = (*process)->Wait(absl::Seconds(30));
  return exit.ok() && exit->success() ? (*log)->Finish() : "";
}

// From the name of the package's metadata folder, beside the package.
std::string TvmFfiVersion(const std::string& tvm_ffi_dir) {
  std::error_code error;
  const std::filesystem::path packages =
      std::filesystem::path(tvm_ffi_dir).parent_path();
  for (const auto& entry :
       std::filesystem::directory_iterator(packages, error)) {
    const std::string name = entry.path().filename().string();
    absl::string_view version = name;
    if (absl::ConsumePrefix(&version, "apache_tvm_ffi-") &&
        absl::ConsumeSuffix(&version, ".dist-info")) {
      return std::string(version);
    }
  }
  return "";
}

}  // namespace

std::map<std::string, std::string> ToolVersions(Launcher& launcher,
                                                const std::string& python,
                                                const WorkerFiles& files) {
  std::map<std::string, std::string> versions;
  const std::string lines = OutputOf(launcher, {python, "-c", kPythonProgram});
  for (const absl::string_view line :
       absl::StrSplit(lines, '\n', absl::SkipEmpty())) {
    const std::pair<std::string, std::string> parts =
        absl::StrSplit(line, absl::MaxSplits('=', 1));
    versions.insert(parts);
  }
  versions["gcc"] = std::string(absl::StripAsciiWhitespace(
      OutputOf(launcher, {"/usr/bin/g++", "-dumpfullversion"})));
  versions["apache-tvm-ffi"] = TvmFfiVersion(files.tvm_ffi_dir);
  for (auto it = versions.begin(); it != versions.end();) {
    it = it->second.empty() ? versions.erase(it) : std::next(it);
  }
  return versions;
}

}  // namespace assay
