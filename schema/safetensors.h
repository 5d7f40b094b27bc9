// Tensors stored in a safetensors file.
//
//   ASSAY_ASSIGN_OR_RETURN(auto file, SafetensorsFile::Open(path));
//   ASSAY_ASSIGN_OR_RETURN(SafetensorsFile::Tensor x, file->Find("x"));
//   memcpy(memory, x.data.data(), x.data.size());

#ifndef ASSAY_SCHEMA_SAFETENSORS_H_
#define ASSAY_SCHEMA_SAFETENSORS_H_

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "assay/v1/definition.pb.h"
#include "base/fd.h"

namespace assay {

// A file mapped into memory, not copied. All of the header is checked before
// any of the data can be reached. The file must not shrink while it is open:
// reading a page that is gone kills the process, so open only files that
// nobody untrusted can write to. Thread-safe.
class SafetensorsFile {
 public:
  struct Tensor {
    v1::DType dtype = v1::DTYPE_UNSPECIFIED;
    std::vector<int64_t> shape;
    // Little-endian elements, outermost dimension first. Not aligned. Valid as
    // long as the file.
    absl::string_view data;
  };

  // NOT_FOUND when there is no such file; INVALID_ARGUMENT when it is not a
  // sound safetensors file.
  static absl::StatusOr<std::unique_ptr<SafetensorsFile>> Open(
      const std::string& path);

  // The same for a file that is open; `name` is for messages.
  static absl::StatusOr<std::unique_ptr<SafetensorsFile>> FromFd(
      UniqueFd fd, std::string name);

  // NOT_FOUND names the keys that there are; INVALID_ARGUMENT when the tensor
  // has an element type that Assay does not know.
  absl::StatusOr<Tensor> Find(absl::string_view key) const;

  // In the order of the header.
  std::vector<std::string> keys() const;

 private:
  struct Entry {
    std::string key;
    // As the file has it, e.g. "BF16".
    std::string dtype_name;
    Tensor tensor;
  };
  friend class SafetensorsHeader;

  SafetensorsFile() = default;

  std::string name_;
  Mapping mapping_;
  std::vector<Entry> entries_;
};

}  // namespace assay

#endif  // ASSAY_SCHEMA_SAFETENSORS_H_
