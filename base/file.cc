#include "base/file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "absl/strings/str_cat.h"
#include "base/fd.h"
#include "base/posix.h"
#include "base/random_id.h"
#include "base/status_macros.h"

namespace assay {

absl::Status WriteAll(int fd, absl::string_view content,
                      const std::string& name) {
  while (!content.empty()) {
    const ssize_t written = write(fd, content.data(), content.size());
    if (written < 0) {
      if (errno == EINTR) continue;
      return PosixError(absl::StrCat("writing ", name));
    }
    content.remove_prefix(static_cast<size_t>(written));
  }
  return absl::OkStatus();
}

absl::StatusOr<std::string> ReadFile(const std::string& path,
                                     size_t max_bytes) {
  // Non-blocking, so that a FIFO in a folder of files cannot hang the reader.
  UniqueFd fd(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!fd.valid()) return PosixError(absl::StrCat("opening ", path));
  return ReadOpenFile(fd.get(), path, max_bytes);
}

absl::StatusOr<std::string> ReadOpenFile(int fd, const std::string& name,
                                         size_t max_bytes) {
  struct stat info;
  if (fstat(fd, &info) != 0) return PosixError(name);
  if (!S_ISREG(info.st_mode)) {
    return absl::InvalidArgumentError(absl::StrCat(name, " is not a file"));
  }
  std::string content;
  char buffer[65536];
  while (true) {
    const ssize_t got = read(fd, buffer, sizeof(buffer));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return PosixError(absl::StrCat("reading ", name));
    if (got == 0) return content;
    content.append(buffer, static_cast<size_t>(got));
    if (content.size() > max_bytes) {
      return absl::InvalidArgumentError(absl::StrCat(
          name, " is larger than the limit of ", max_bytes, " bytes"));
    }
  }
}

absl::Status WriteFileAtomically(const std::string& path,
                                 absl::string_view content) {
  const std::string temporary = absl::StrCat(path, RandomId(".tmp-"));
  UniqueFd fd(
      open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644));
  if (!fd.valid()) return PosixError(absl::StrCat("creating ", temporary));
  absl::Status status = WriteAll(fd.get(), content, temporary);
  if (status.ok() && rename(temporary.c_str(), path.c_str()) != 0) {
    status = PosixError(absl::StrCat("renaming to ", path));
  }
  if (!status.ok()) unlink(temporary.c_str());
  return status;
}

absl::Status CreateDirectories(const std::string& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error) {
    return PosixError(absl::StrCat("creating folder ", path), error.value());
  }
  return absl::OkStatus();
}

absl::StatusOr<std::string> ProgramDirectory() {
  std::error_code error;
  const std::filesystem::path program =
      std::filesystem::read_symlink("/proc/self/exe", error);
  if (error) return PosixError("/proc/self/exe", error.value());
  return program.parent_path().string();
}

absl::StatusOr<TempDir> TempDir::Create(absl::string_view prefix) {
  const char* base = std::getenv("TMPDIR");
  return CreateIn(base != nullptr && *base != '\0' ? base : "/tmp", prefix);
}

absl::StatusOr<TempDir> TempDir::CreateIn(const std::string& folder,
                                          absl::string_view prefix) {
  std::string path = absl::StrCat(folder, "/", prefix, "XXXXXX");
  if (mkdtemp(path.data()) == nullptr) {
    return PosixError(absl::StrCat("creating folder ", path));
  }
  return TempDir(std::move(path));
}

TempDir::~TempDir() {
  if (path_.empty()) return;
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

TempDir& TempDir::operator=(TempDir&& other) noexcept {
  std::swap(path_, other.path_);
  return *this;
}

}  // namespace assay
