// A folder whose files are opened only if they really are in it.
//
//   ASSAY_ASSIGN_OR_RETURN(auto folder, ConfinedFolder::Open("trace-set"));
//   ASSAY_ASSIGN_OR_RETURN(std::string text, folder->ReadFile("a/b.json", 1 <<
//   20));
//
// Symbolic links inside the folder work, links that lead out of it and absolute
// ones are refused. Thread-safe.

#ifndef ASSAY_SCHEMA_CONFINED_FOLDER_H_
#define ASSAY_SCHEMA_CONFINED_FOLDER_H_

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "base/fd.h"
#include "schema/problem.h"

namespace assay {

class ConfinedFolder {
 public:
  // NOT_FOUND when there is no such folder.
  static absl::StatusOr<std::unique_ptr<ConfinedFolder>> Open(
      const std::string& path);

  // Opens a file for reading by its path relative to the folder. Never waits,
  // not even on a FIFO. INVALID_ARGUMENT when the path leads out of the folder,
  // NOT_FOUND when there is no such file.
  absl::StatusOr<UniqueFd> OpenFile(const std::string& relative) const;

  // INVALID_ARGUMENT too when it is no file or larger than `max_bytes`.
  absl::StatusOr<std::string> ReadFile(const std::string& relative,
                                       size_t max_bytes) const;

  // True when there is something that OpenFile opens.
  bool Contains(const std::string& relative) const;

  // The paths, relative to the folder, of all files under `relative` whose name
  // ends in `suffix`, in order. Linked folders are not entered but added to
  // `problems`, as is what cannot be listed. Nothing when there is no such
  // folder.
  std::vector<std::string> ListFiles(const std::string& relative,
                                     const std::string& suffix,
                                     std::vector<Problem>& problems) const;

  // As given to Open.
  const std::string& path() const { return path_; }

 private:
  ConfinedFolder(std::string path, UniqueFd fd)
      : path_(std::move(path)), fd_(std::move(fd)) {}

  const std::string path_;
  const UniqueFd fd_;
};

}  // namespace assay

#endif  // ASSAY_SCHEMA_CONFINED_FOLDER_H_
