#include "worker/build/cuda_toolkit.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "base/file.h"
#include "base/status_macros.h"

namespace assay {
namespace {

constexpr char kDefaultFolder[] = "/usr/local/cuda";

// The folder that was asked for, or that the environment names.
std::string WantedFolder(absl::string_view folder) {
  if (!folder.empty()) return std::string(folder);
  for (const char* name : {"CUDA_HOME", "CUDA_PATH"}) {
    const char* value = std::getenv(name);
    if (value != nullptr && *value != '\0') return value;
  }
  return kDefaultFolder;
}

// "13.0" from the line `#define CUDA_VERSION 13000`.
absl::StatusOr<std::string> VersionOf(const std::string& header) {
  ASSAY_ASSIGN_OR_RETURN(const std::string content, ReadFile(header));
  const std::pair<absl::string_view, absl::string_view> around =
      absl::StrSplit(content, absl::MaxSplits("#define CUDA_VERSION ", 1));
  const absl::string_view digits =
      around.second.substr(0, around.second.find_first_not_of("0123456789"));
  int version = 0;
  if (!absl::SimpleAtoi(digits, &version)) {
    return absl::FailedPreconditionError(
        absl::StrCat("\"", header,
                     "\" does not say CUDA's version; install the toolkit "
                     "anew"));
  }
  return absl::StrCat(version / 1000, ".", version % 1000 / 10);
}

}  // namespace

std::vector<std::string> CudaToolkit::LibraryFolders() const {
  std::vector<std::string> folders;
  for (const char* name : {"/lib64", "/lib", "/targets/x86_64-linux/lib"}) {
    std::error_code error;
    const std::filesystem::path path =
        std::filesystem::canonical(folder + name, error);
    // Links between the three are common.
    if (error || !std::filesystem::is_directory(path, error)) continue;
    bool is_known = false;
    for (const std::string& known : folders) is_known |= known == path;
    if (!is_known) folders.push_back(path.string());
  }
  return folders;
}

absl::StatusOr<CudaToolkit> FindCudaToolkit(absl::string_view folder) {
  const std::string wanted = WantedFolder(folder);
  // The compiler decides where the toolkit is: it looks beside itself.
  std::error_code error;
  const std::filesystem::path nvcc =
      std::filesystem::canonical(wanted + "/bin/nvcc", error);
  if (error || access(nvcc.c_str(), X_OK) != 0) {
    return absl::FailedPreconditionError(absl::StrCat(
        "there is no CUDA compiler \"", wanted,
        "/bin/nvcc\"; install the CUDA toolkit, or name its folder with "
        "CUDA_HOME"));
  }
  CudaToolkit toolkit;
  toolkit.folder = nvcc.parent_path().parent_path().string();
  const std::string header = toolkit.include_folder() + "/cuda.h";
  if (access(header.c_str(), R_OK) != 0) {
    return absl::FailedPreconditionError(
        absl::StrCat("the CUDA toolkit in \"", toolkit.folder,
                     "\" has no include/cuda.h; install its development "
                     "packages, or name another folder with CUDA_HOME"));
  }
  ASSAY_ASSIGN_OR_RETURN(toolkit.version, VersionOf(header));
  return toolkit;
}

}  // namespace assay
