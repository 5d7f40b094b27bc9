// The files of a trace set that workloads refer to, by content.

#ifndef ASSAY_CLIENT_BLOB_FILES_H_
#define ASSAY_CLIENT_BLOB_FILES_H_

#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "assay/v1/workload.pb.h"
#include "base/fd.h"

namespace assay {

// Reads files below a root, each once. Thread-compatible.
class BlobFiles {
 public:
  struct Blob {
    // Lower-case hex.
    std::string sha256;
    int64_t size_bytes = 0;
  };

  // `root` is the folder of the trace set.
  explicit BlobFiles(std::string root) : root_(std::move(root)) {}

  // Digest and size of a file. INVALID_ARGUMENT when the path, or what it links
  // to, lies outside the root, or is not a file; NOT_FOUND when it is missing.
  absl::StatusOr<Blob> Describe(const std::string& path);

  // Fills in `sha256` and `size_bytes` of every safetensors input.
  absl::Status FillIn(v1::Workload& workload);

  // Paths of the files described so far, by digest.
  const std::map<std::string, std::string>& paths() const { return paths_; }

  // Maps a file for reading. It must not shrink meanwhile.
  absl::StatusOr<Mapping> Map(const std::string& path) const;

 private:
  const std::string root_;
  std::map<std::string, absl::StatusOr<Blob>> described_;
  std::map<std::string, std::string> paths_;
};

}  // namespace assay

#endif  // ASSAY_CLIENT_BLOB_FILES_H_
