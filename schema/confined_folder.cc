#include "schema/confined_folder.h"

#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <system_error>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "base/file.h"
#include "base/posix.h"
#include "base/status_macros.h"
#include "schema/json_path.h"

namespace assay {
namespace {

namespace fs = std::filesystem;

// Folders within each other, and entries in all, that a listing looks at.
constexpr int kMaxDepth = 32;
constexpr size_t kMaxEntries = 1000000;
// Of opening a file while others rename.
constexpr int kMaxTries = 10000;

constexpr int kOpenFlags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY;

absl::Status LeadsOut(const std::string& relative) {
  return absl::InvalidArgumentError(absl::StrCat(
      Quoted(relative), " leads out of the folder, use a file inside it"));
}

// For kernels and sandboxes without openat2: resolves the path first. A link
// that changes in between is followed.
int OpenResolved(const std::string& root, const std::string& relative) {
  std::error_code error;
  const fs::path base = fs::canonical(root, error);
  const fs::path target =
      error ? fs::path() : fs::canonical(fs::path(root) / relative, error);
  if (error) {
    errno = error.value();
    return -1;
  }
  const auto [end, unused] =
      std::mismatch(base.begin(), base.end(), target.begin(), target.end());
  if (end != base.end()) {
    errno = EXDEV;
    return -1;
  }
  return open(target.c_str(), kOpenFlags | O_NOFOLLOW);
}

int OpenBeneath(int root_fd, const std::string& root,
                const std::string& relative) {
  open_how how = {};
  how.flags = kOpenFlags;
  how.resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS;
  long fd = -1;
  // Anything that is renamed anywhere meanwhile makes the kernel give up on a
  // path with "..", which it cannot be sure of then.
  for (int i = 0; i < kMaxTries; ++i) {
    fd = syscall(SYS_openat2, root_fd, relative.c_str(), &how, sizeof(how));
    if (fd >= 0 || errno != EAGAIN) break;
  }
  if (fd < 0 && (errno == ENOSYS || errno == EPERM)) {
    return OpenResolved(root, relative);
  }
  return static_cast<int>(fd);
}

// Walks the tree below a folder.
class Lister {
 public:
  Lister(const fs::path& root, const std::string& suffix,
         std::vector<Problem>& problems)
      : root_(root), suffix_(suffix), problems_(problems) {}

  std::vector<std::string> Run(const fs::path& relative) && {
    std::error_code error;
    if (fs::symlink_status(root_ / relative, error).type() ==
        fs::file_type::not_found) {
      return {};
    }
    Visit(relative, fs::symlink_status(root_ / relative, error), 0);
    std::sort(found_.begin(), found_.end());
    return std::move(found_);
  }

 private:
  void Complain(const fs::path& relative, std::string message) {
    problems_.push_back({relative.string(), std::move(message), false});
  }

  void Visit(const fs::path& relative, const fs::file_status& status,
             int depth) {
    if (fs::is_directory(status)) {
      VisitFolder(relative, depth);
      return;
    }
    std::error_code error;
    if (fs::is_symlink(status) && fs::is_directory(root_ / relative, error)) {
      Complain(relative,
               "is a symbolic link to a folder, which is not followed: link "
               "the files instead");
      return;
    }
    if (absl::EndsWith(relative.native(), suffix_)) {
      found_.push_back(relative.string());
    }
  }

  void VisitFolder(const fs::path& relative, int depth) {
    if (depth > kMaxDepth) {
      Complain(relative, absl::StrCat("is nested deeper than ", kMaxDepth,
                                      " folders and left out"));
      return;
    }
    std::error_code error;
    fs::directory_iterator entry(root_ / relative, error);
    for (; !error && entry != fs::directory_iterator();
         entry.increment(error)) {
      if (++entries_ > kMaxEntries) {
        if (entries_ == kMaxEntries + 1) {
          Complain(relative, absl::StrCat("the rest is left out: more than ",
                                          kMaxEntries, " entries"));
        }
        return;
      }
      std::error_code status_error;
      Visit(relative / entry->path().filename(),
            entry->symlink_status(status_error), depth + 1);
    }
    if (error) {
      Complain(relative, absl::StrCat("cannot be listed: ", error.message()));
    }
  }

  const fs::path root_;
  const std::string suffix_;
  std::vector<Problem>& problems_;
  std::vector<std::string> found_;
  size_t entries_ = 0;
};

}  // namespace

absl::StatusOr<std::unique_ptr<ConfinedFolder>> ConfinedFolder::Open(
    const std::string& path) {
  UniqueFd fd(open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!fd.valid()) return PosixError(absl::StrCat("opening folder ", path));
  return std::unique_ptr<ConfinedFolder>(
      new ConfinedFolder(path, std::move(fd)));
}

absl::StatusOr<UniqueFd> ConfinedFolder::OpenFile(
    const std::string& relative) const {
  if (relative.find('\0') != std::string::npos) return LeadsOut(relative);
  UniqueFd fd(OpenBeneath(fd_.get(), path_, relative));
  if (fd.valid()) return fd;
  if (errno == EXDEV) return LeadsOut(relative);
  return PosixError(absl::StrCat("opening ", relative));
}

absl::StatusOr<std::string> ConfinedFolder::ReadFile(
    const std::string& relative, size_t max_bytes) const {
  ASSAY_ASSIGN_OR_RETURN(const UniqueFd fd, OpenFile(relative));
  return ReadOpenFile(fd.get(), relative, max_bytes);
}

bool ConfinedFolder::Contains(const std::string& relative) const {
  return OpenFile(relative).ok();
}

std::vector<std::string> ConfinedFolder::ListFiles(
    const std::string& relative, const std::string& suffix,
    std::vector<Problem>& problems) const {
  return Lister(path_, suffix, problems).Run(relative);
}

}  // namespace assay
