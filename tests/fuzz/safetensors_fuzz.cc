// The reader of safetensors files. Every tensor that it offers lies within the
// file, as large as its shape says.

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "base/fd.h"
#include "schema/safetensors.h"
#include "tests/fuzz/fuzz_check.h"

namespace assay {
namespace {

UniqueFd MakeFile(const uint8_t* data, size_t size) {
  UniqueFd fd(memfd_create("fuzz", MFD_CLOEXEC));
  FuzzCheck(fd.valid(), "memfd_create works");
  FuzzCheck(write(fd.get(), data, size) == static_cast<ssize_t>(size),
            "the input can be written");
  return fd;
}

void ReadAll(const SafetensorsFile& file, size_t size) {
  size_t total = 0;
  unsigned sum = 0;
  for (const std::string& key : file.keys()) {
    const absl::StatusOr<SafetensorsFile::Tensor> tensor = file.Find(key);
    // An element type that Assay does not know.
    if (!tensor.ok()) continue;
    for (const char byte : tensor->data) sum += static_cast<uint8_t>(byte);
    total += tensor->data.size();
    bool empty = false;
    for (const int64_t length : tensor->shape) {
      FuzzCheck(length >= 0, "no length is negative");
      empty = empty || length == 0;
    }
    FuzzCheck(tensor->data.empty() == empty, "data and shape agree");
  }
  FuzzCheck(total <= size, "tensors do not overlap");
  // Keeps the reads.
  FuzzCheck(sum != ~0u, "bytes were read");
}

}  // namespace
}  // namespace assay

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const absl::StatusOr<std::unique_ptr<assay::SafetensorsFile>> file =
      assay::SafetensorsFile::FromFd(assay::MakeFile(data, size), "fuzz");
  if (file.ok()) assay::ReadAll(**file, size);
  return 0;
}
