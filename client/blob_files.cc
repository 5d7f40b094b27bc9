#include "client/blob_files.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "absl/strings/str_cat.h"
#include "base/posix.h"
#include "base/sha256.h"
#include "base/status_macros.h"

namespace assay {
namespace {

// The file behind `path`, with symbolic links followed.
absl::StatusOr<std::string> PathInside(const std::string& root,
                                       const std::string& path) {
  std::error_code error;
  const std::filesystem::path base = std::filesystem::canonical(root, error);
  if (error) return PosixError(root, error.value());
  const std::filesystem::path file =
      std::filesystem::canonical(base / path, error);
  if (error) return PosixError(absl::StrCat("file ", path), error.value());
  const auto differs =
      std::mismatch(base.begin(), base.end(), file.begin(), file.end());
  if (differs.first != base.end()) {
    return absl::InvalidArgumentError(
        absl::StrCat("file \"", path,
                     "\" lies outside the trace set; copy it into the folder"));
  }
  return file.string();
}

}  // namespace

absl::StatusOr<Mapping> BlobFiles::Map(const std::string& path) const {
  ASSAY_ASSIGN_OR_RETURN(const std::string file, PathInside(root_, path));
  const UniqueFd fd(open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!fd.valid()) return PosixError(absl::StrCat("opening ", file));
  struct stat info;
  if (fstat(fd.get(), &info) != 0) return PosixError(file);
  if (!S_ISREG(info.st_mode)) {
    return absl::InvalidArgumentError(absl::StrCat(file, " is not a file"));
  }
  return Mapping::Map(fd.get(), static_cast<size_t>(info.st_size),
                      /*writable=*/false);
}

absl::StatusOr<BlobFiles::Blob> BlobFiles::Describe(const std::string& path) {
  const auto found = described_.find(path);
  if (found != described_.end()) return found->second;
  absl::StatusOr<Blob> blob = [&]() -> absl::StatusOr<Blob> {
    ASSAY_ASSIGN_OR_RETURN(const Mapping mapping, Map(path));
    return Blob{Sha256Hex(mapping.view()),
                static_cast<int64_t>(mapping.size())};
  }();
  if (blob.ok()) paths_.emplace(blob->sha256, path);
  described_.emplace(path, blob);
  return blob;
}

absl::Status BlobFiles::FillIn(v1::Workload& workload) {
  for (v1::WorkloadInput& input : *workload.mutable_inputs()) {
    if (!input.has_safetensors()) continue;
    v1::SafetensorsInput& tensor = *input.mutable_safetensors();
    const absl::StatusOr<Blob> blob = Describe(tensor.path());
    if (!blob.ok()) {
      return Annotate(blob.status(),
                      absl::StrCat("input \"", input.name(), "\""));
    }
    tensor.set_sha256(blob->sha256);
    tensor.set_size_bytes(blob->size_bytes);
  }
  return absl::OkStatus();
}

}  // namespace assay
