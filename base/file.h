// Whole files, folders and temporary folders.

#ifndef ASSAY_BASE_FILE_H_
#define ASSAY_BASE_FILE_H_

#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace assay {

// The content of a regular file. INVALID_ARGUMENT when it is larger than
// `max_bytes` or not a regular file; NOT_FOUND when it is missing.
absl::StatusOr<std::string> ReadFile(const std::string& path,
                                     size_t max_bytes = size_t{1} << 30);

// The same for a file that is open, from where it stands; `name` is for
// messages. Open with O_NONBLOCK what may be a FIFO.
absl::StatusOr<std::string> ReadOpenFile(int fd, const std::string& name,
                                         size_t max_bytes = size_t{1} << 30);

// Replaces the file in one step: readers see the old content or the new one.
absl::Status WriteFileAtomically(const std::string& path,
                                 absl::string_view content);

// Writes all of `content` to a descriptor; `name` is for messages.
absl::Status WriteAll(int fd, absl::string_view content,
                      const std::string& name);

// Creates the folder and its parents; fine when it exists.
absl::Status CreateDirectories(const std::string& path);

// Folder of the running program, e.g. "/usr/local/bin".
absl::StatusOr<std::string> ProgramDirectory();

// A fresh folder that is removed, with all in it, at the end.
class TempDir {
 public:
  // In $TMPDIR or /tmp, named "`prefix`XXXXXX".
  static absl::StatusOr<TempDir> Create(absl::string_view prefix);
  // In `folder`, which must exist.
  static absl::StatusOr<TempDir> CreateIn(const std::string& folder,
                                          absl::string_view prefix);
  ~TempDir();
  TempDir(TempDir&& other) noexcept : path_(std::exchange(other.path_, "")) {}
  TempDir& operator=(TempDir&& other) noexcept;

  const std::string& path() const { return path_; }

  // Leaves the folder in place; returns its path.
  std::string Release() { return std::exchange(path_, ""); }

 private:
  explicit TempDir(std::string path) : path_(std::move(path)) {}
  std::string path_;
};

}  // namespace assay

#endif  // ASSAY_BASE_FILE_H_
