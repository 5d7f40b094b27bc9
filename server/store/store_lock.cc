#include "server/store/store_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "base/posix.h"

namespace assay {
namespace {

// What the holder wrote; only for the message.
std::string HolderPid(int fd) {
  char buffer[32];
  const ssize_t got = pread(fd, buffer, sizeof(buffer), 0);
  if (got <= 0) return "unknown";
  return std::string(absl::StripAsciiWhitespace(
      absl::string_view(buffer, static_cast<size_t>(got))));
}

}  // namespace

absl::StatusOr<std::unique_ptr<StoreLock>> StoreLock::Acquire(
    const std::string& store_path) {
  const std::string path = store_path + ".lock";
  UniqueFd fd(open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644));
  if (!fd.valid()) {
    return absl::FailedPreconditionError(absl::StrCat(
        PosixError(absl::StrCat("cannot create \"", path, "\"")).message(),
        "; choose a --store in a folder that can be written"));
  }
  if (flock(fd.get(), LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK) return PosixError(path);
    return absl::FailedPreconditionError(absl::StrCat(
        "store \"", store_path,
        "\" is in use by another assay-coordinator "
        "(process ",
        HolderPid(fd.get()), "): stop it or choose another --store"));
  }
  const std::string pid = absl::StrCat(getpid(), "\n");
  if (ftruncate(fd.get(), 0) != 0 ||
      pwrite(fd.get(), pid.data(), pid.size(), 0) < 0) {
    return PosixError(absl::StrCat("writing \"", path, "\""));
  }
  return std::unique_ptr<StoreLock>(new StoreLock(std::move(fd)));
}

}  // namespace assay
