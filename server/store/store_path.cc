#include "server/store/store_path.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/posix.h"

namespace assay {
namespace {

// The file would come to be where the link leads, under another name.
absl::Status CheckMissing(const std::string& path) {
  struct stat info;
  if (lstat(path.c_str(), &info) != 0) return absl::OkStatus();
  return absl::FailedPreconditionError(
      absl::StrCat("store \"", path,
                   "\" is a link to a file that does not exist: name the file "
                   "itself as --store"));
}

// What SQLite would report in words that do not help.
absl::Status CheckPath(const std::string& path) {
  struct stat info;
  if (stat(path.c_str(), &info) != 0) {
    if (errno == ENOENT) return CheckMissing(path);
    return PosixError(absl::StrCat("store \"", path, "\""));
  }
  if (S_ISDIR(info.st_mode)) {
    return absl::FailedPreconditionError(
        absl::StrCat("store \"", path, "\" is a folder: name a file, e.g. \"",
                     path, "/assay.db\""));
  }
  if (!S_ISREG(info.st_mode)) {
    return absl::FailedPreconditionError(
        absl::StrCat("store \"", path, "\" is not a file"));
  }
  // As whom the file will be opened: access() asks for who started the program.
  if (faccessat(AT_FDCWD, path.c_str(), R_OK | W_OK, AT_EACCESS) != 0) {
    return absl::FailedPreconditionError(
        absl::StrCat("store \"", path,
                     "\" cannot be written: change its permissions or choose "
                     "another --store"));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::string> ResolveStorePath(const std::string& path) {
  if (const absl::Status valid = CheckPath(path); !valid.ok()) return valid;
  std::error_code error;
  std::filesystem::path absolute = std::filesystem::absolute(path, error);
  if (!error) absolute = std::filesystem::weakly_canonical(absolute, error);
  if (!error) return absolute.string();
  return absl::FailedPreconditionError(
      absl::StrCat("store \"", path, "\": ", error.message()));
}

}  // namespace assay
