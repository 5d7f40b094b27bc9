#include "server/blob/blob_store.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <system_error>

#include "absl/strings/str_cat.h"
#include "base/file.h"
#include "base/posix.h"
#include "base/random_id.h"
#include "base/status_macros.h"

namespace assay {
namespace {

constexpr size_t kSha256Digits = 64;
constexpr char kUploadFolder[] = "/uploads";

// A rename is durable when the folder that it changed is.
absl::Status SyncFolder(const std::string& path) {
  UniqueFd fd(open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!fd.valid() || fsync(fd.get()) != 0) {
    return PosixError(absl::StrCat("syncing ", path));
  }
  return absl::OkStatus();
}

std::string ParentOf(const std::string& path) {
  const std::string parent = std::filesystem::path(path).parent_path().string();
  return parent.empty() ? "." : parent;
}

}  // namespace

absl::Status CheckSha256(absl::string_view sha256) {
  const bool is_hex = std::all_of(sha256.begin(), sha256.end(), [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
  });
  if (sha256.size() == kSha256Digits && is_hex) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("sha256 \"", sha256.substr(0, 100),
                   "\" is not a digest: give 64 lower-case hex digits"));
}

absl::StatusOr<std::unique_ptr<BlobStore>> BlobStore::Open(std::string folder) {
  std::error_code ignored;
  std::filesystem::remove_all(folder + kUploadFolder, ignored);
  ASSAY_RETURN_IF_ERROR(CreateDirectories(folder + kUploadFolder));
  ASSAY_RETURN_IF_ERROR(SyncFolder(ParentOf(folder)));
  return std::unique_ptr<BlobStore>(new BlobStore(std::move(folder)));
}

std::string BlobStore::FolderOf(absl::string_view sha256) const {
  return absl::StrCat(folder_, "/", sha256.substr(0, 2));
}

std::string BlobStore::PathOf(absl::string_view sha256) const {
  return absl::StrCat(FolderOf(sha256), "/", sha256);
}

bool BlobStore::Has(absl::string_view sha256) const {
  // Anything else could name a file elsewhere.
  if (!CheckSha256(sha256).ok()) return false;
  absl::MutexLock lock(&use_mutex_);
  return utimensat(AT_FDCWD, PathOf(sha256).c_str(), nullptr, 0) == 0;
}

absl::StatusOr<bool> BlobStore::RemoveIfUnused(absl::string_view sha256,
                                               absl::Time before) {
  ASSAY_RETURN_IF_ERROR(CheckSha256(sha256));
  const std::string path = PathOf(sha256);
  absl::MutexLock lock(&use_mutex_);
  struct stat info;
  if (stat(path.c_str(), &info) != 0) {
    if (errno == ENOENT) return false;
    return PosixError(path);
  }
  if (absl::TimeFromTimespec(info.st_mtim) >= before) return false;
  if (unlink(path.c_str()) != 0) return PosixError(path);
  return true;
}

absl::StatusOr<std::unique_ptr<BlobStore::Upload>> BlobStore::Create(
    absl::string_view sha256, int64_t size_bytes) {
  ASSAY_RETURN_IF_ERROR(CheckSha256(sha256));
  if (size_bytes < 0 || size_bytes > kMaxBlobBytes) {
    return absl::InvalidArgumentError(
        absl::StrCat("size_bytes \"", size_bytes, "\" is not in 0 to ",
                     kMaxBlobBytes, ": give the size of the content"));
  }
  const std::string temporary =
      absl::StrCat(folder_, kUploadFolder, "/", RandomId("upl-"));
  UniqueFd fd(
      open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644));
  if (!fd.valid()) return PosixError(absl::StrCat("creating ", temporary));
  return std::unique_ptr<Upload>(new Upload(std::move(fd), temporary,
                                            FolderOf(sha256),
                                            std::string(sha256), size_bytes));
}

absl::StatusOr<UniqueFd> BlobStore::OpenForReading(
    absl::string_view sha256) const {
  ASSAY_RETURN_IF_ERROR(CheckSha256(sha256));
  UniqueFd fd(open(PathOf(sha256).c_str(), O_RDONLY | O_CLOEXEC));
  if (fd.valid()) return fd;
  if (errno != ENOENT) return PosixError(absl::StrCat("blob ", sha256));
  return absl::NotFoundError(absl::StrCat("blob \"", sha256,
                                          "\" is not stored: upload it with "
                                          "PutBlob"));
}

absl::StatusOr<std::vector<BlobStore::Blob>> BlobStore::List() const {
  std::vector<Blob> blobs;
  std::error_code error;
  for (std::filesystem::recursive_directory_iterator it(folder_, error), end;
       !error && it != end; it.increment(error)) {
    const std::string name = it->path().filename().string();
    if (!CheckSha256(name).ok()) continue;
    // One that goes meanwhile is none.
    std::error_code gone;
    const uintmax_t size = it->file_size(gone);
    if (!gone) blobs.push_back({name, static_cast<int64_t>(size)});
  }
  if (error)
    return PosixError(absl::StrCat("listing ", folder_), error.value());
  return blobs;
}

BlobStore::Upload::~Upload() {
  if (!temporary_.empty()) unlink(temporary_.c_str());
}

absl::Status BlobStore::Upload::Append(absl::string_view data) {
  received_bytes_ += static_cast<int64_t>(data.size());
  if (received_bytes_ > size_bytes_) {
    return absl::InvalidArgumentError(
        absl::StrCat("the content is larger than the announced size_bytes \"",
                     size_bytes_, "\": announce the right size"));
  }
  hash_.Update(data);
  while (!data.empty()) {
    const ssize_t written = write(fd_.get(), data.data(), data.size());
    if (written < 0) {
      if (errno == EINTR) continue;
      return PosixError("writing a blob");
    }
    data.remove_prefix(static_cast<size_t>(written));
  }
  return absl::OkStatus();
}

absl::Status BlobStore::Upload::Commit() {
  if (received_bytes_ != size_bytes_) {
    return absl::InvalidArgumentError(absl::StrCat(
        "the content has ", received_bytes_, " bytes, size_bytes announced \"",
        size_bytes_, "\": send all of it, or announce the right size"));
  }
  if (const std::string digest = hash_.HexDigest(); digest != sha256_) {
    return absl::InvalidArgumentError(absl::StrCat(
        "the content has the SHA-256 \"", digest, "\", not the announced \"",
        sha256_, "\": it changed while it was read, send it again"));
  }
  if (fsync(fd_.get()) != 0) return PosixError("syncing a blob");
  ASSAY_RETURN_IF_ERROR(CreateDirectories(folder_));
  const std::string path = absl::StrCat(folder_, "/", sha256_);
  if (rename(temporary_.c_str(), path.c_str()) != 0) {
    return PosixError(absl::StrCat("renaming to ", path));
  }
  temporary_.clear();
  ASSAY_RETURN_IF_ERROR(SyncFolder(folder_));
  // The folder itself may be new, perhaps made just now by another upload that
  // has not synced it yet. Costs nothing where nothing changed.
  return SyncFolder(ParentOf(folder_));
}

}  // namespace assay
