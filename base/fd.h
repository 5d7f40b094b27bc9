// Owned file descriptors and memory mappings.

#ifndef ASSAY_BASE_FD_H_
#define ASSAY_BASE_FD_H_

#include <cstddef>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace assay {

// Owns a descriptor and closes it.
class UniqueFd {
 public:
  UniqueFd() = default;
  explicit UniqueFd(int fd) : fd_(fd) {}
  ~UniqueFd() { Reset(); }
  UniqueFd(UniqueFd&& other) noexcept : fd_(other.Release()) {}
  UniqueFd& operator=(UniqueFd&& other) noexcept {
    Reset(other.Release());
    return *this;
  }

  int get() const { return fd_; }
  bool valid() const { return fd_ >= 0; }
  int Release() { return std::exchange(fd_, -1); }
  void Reset(int fd = -1);

 private:
  int fd_ = -1;
};

// Owns a mapping of memory and unmaps it.
class Mapping {
 public:
  Mapping() = default;
  ~Mapping() { Reset(); }
  Mapping(Mapping&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)),
        size_(std::exchange(other.size_, 0)) {}
  Mapping& operator=(Mapping&& other) noexcept {
    Reset();
    data_ = std::exchange(other.data_, nullptr);
    size_ = std::exchange(other.size_, 0);
    return *this;
  }

  // Maps the first `size` bytes of `fd`, shared. A size of 0 maps nothing.
  static absl::StatusOr<Mapping> Map(int fd, size_t size, bool writable);

  char* data() const { return static_cast<char*>(data_); }
  size_t size() const { return size_; }
  absl::string_view view() const { return {data(), size_}; }
  void Reset();

 private:
  Mapping(void* data, size_t size) : data_(data), size_(size) {}

  void* data_ = nullptr;
  size_t size_ = 0;
};

// Anonymous shared memory of `size` bytes, zeroed, whose size is sealed: no
// holder of the descriptor can shrink it under another's mapping.
absl::StatusOr<UniqueFd> CreateMemFd(const char* name, size_t size);

// From now on nobody can write to the memory, however they open it, but
// through the writable mappings that exist already.
absl::Status SealAgainstNewWriters(int fd);

// A second descriptor of the same file that can only be read and mapped
// read-only, even by whoever receives it.
absl::StatusOr<UniqueFd> ReopenReadOnly(int fd);

// A copy of the descriptor, close-on-exec.
absl::StatusOr<UniqueFd> Duplicate(int fd);

}  // namespace assay

#endif  // ASSAY_BASE_FD_H_
