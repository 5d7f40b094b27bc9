#include "base/fd.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "absl/strings/str_cat.h"
#include "base/posix.h"

namespace assay {

void UniqueFd::Reset(int fd) {
  if (fd_ >= 0) close(fd_);
  fd_ = fd;
}

absl::StatusOr<Mapping> Mapping::Map(int fd, size_t size, bool writable) {
  if (size == 0) return Mapping();
  const int protection = writable ? PROT_READ | PROT_WRITE : PROT_READ;
  void* data = mmap(nullptr, size, protection, MAP_SHARED, fd, 0);
  if (data == MAP_FAILED) {
    return PosixError(absl::StrCat("mapping ", size, " bytes"));
  }
  return Mapping(data, size);
}

void Mapping::Reset() {
  if (data_ != nullptr) munmap(data_, size_);
  data_ = nullptr;
  size_ = 0;
}

absl::StatusOr<UniqueFd> CreateMemFd(const char* name, size_t size) {
  UniqueFd fd(memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (!fd.valid()) return PosixError("memfd_create");
  if (ftruncate(fd.get(), static_cast<off_t>(size)) != 0) {
    return PosixError(absl::StrCat("sizing shared memory to ", size, " bytes"));
  }
  if (fcntl(fd.get(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW) != 0) {
    return PosixError("sealing shared memory");
  }
  return fd;
}

absl::Status SealAgainstNewWriters(int fd) {
  if (fcntl(fd, F_ADD_SEALS, F_SEAL_FUTURE_WRITE) != 0) {
    return PosixError("sealing shared memory against writers");
  }
  return absl::OkStatus();
}

absl::StatusOr<UniqueFd> ReopenReadOnly(int fd) {
  const std::string path = absl::StrCat("/proc/self/fd/", fd);
  UniqueFd reopened(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!reopened.valid()) return PosixError(absl::StrCat("reopening ", path));
  return reopened;
}

absl::StatusOr<UniqueFd> Duplicate(int fd) {
  UniqueFd copy(fcntl(fd, F_DUPFD_CLOEXEC, 3));
  if (!copy.valid()) return PosixError("duplicating a descriptor");
  return copy;
}

}  // namespace assay
