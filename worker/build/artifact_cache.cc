#include "worker/build/artifact_cache.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <system_error>

#include "absl/strings/str_cat.h"
#include "base/log.h"
#include "base/posix.h"
#include "base/sha256.h"
#include "base/status_macros.h"

namespace assay {
namespace {

constexpr char kLibrary[] = "/lib.so";
constexpr char kMeta[] = "/meta.json";

constexpr size_t kMaxLibraryBytes = size_t{512} << 20;
constexpr size_t kMaxMetaBytes = size_t{4} << 20;

// What meta.json holds.
struct Meta {
  // Empty when there is no library.
  std::string library_sha256;
  std::string log;
};

std::string MetaToJson(const Meta& meta) {
  nlohmann::ordered_json json;
  json["library_sha256"] = meta.library_sha256;
  json["log"] = meta.log;
  return json.dump(1, ' ', false,
                   nlohmann::ordered_json::error_handler_t::replace);
}

std::optional<Meta> MetaFromJson(absl::string_view text) {
  const auto json = nlohmann::ordered_json::parse(
      text.begin(), text.end(), nullptr, /*allow_exceptions=*/false);
  if (!json.is_object()) return std::nullopt;
  Meta meta;
  for (const auto& [name, field] :
       {std::make_pair("library_sha256", &meta.library_sha256),
        std::make_pair("log", &meta.log)}) {
    const auto found = json.find(name);
    if (found == json.end() || !found->is_string()) return std::nullopt;
    *field = found->get<std::string>();
  }
  return meta;
}

// Opens a folder and locks it. Not valid: another process has the lock.
absl::StatusOr<UniqueFd> LockFolder(const std::string& folder, int how) {
  UniqueFd fd(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!fd.valid()) return PosixError(folder);
  if (flock(fd.get(), how) == 0) return fd;
  if (errno == EWOULDBLOCK) return UniqueFd();
  return PosixError(absl::StrCat("locking ", folder));
}

// Work folders that nobody holds.
void RemoveAbandoned(const std::string& folder) {
  std::error_code error;
  const std::filesystem::directory_iterator end;
  for (std::filesystem::directory_iterator entry(folder, error);
       !error && entry != end; entry.increment(error)) {
    const std::string path = entry->path().string();
    const absl::StatusOr<UniqueFd> lock = LockFolder(path, LOCK_EX | LOCK_NB);
    if (lock.ok() && !lock->valid()) continue;
    // One that cannot be removed must not keep the others.
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }
}

// The digest of a file that a compiler wrote; not of what a link points to.
absl::StatusOr<std::string> LibrarySha256(const std::string& path) {
  struct stat info;
  if (lstat(path.c_str(), &info) != 0) return PosixError(path);
  if (!S_ISREG(info.st_mode)) {
    return absl::InvalidArgumentError(absl::StrCat(path, " is not a file"));
  }
  ASSAY_ASSIGN_OR_RETURN(const std::string content,
                         ReadFile(path, kMaxLibraryBytes));
  return Sha256Hex(content);
}

}  // namespace

absl::StatusOr<ArtifactCache> ArtifactCache::Open(const std::string& folder) {
  ASSAY_RETURN_IF_ERROR(CreateDirectories(folder));
  std::error_code error;
  const std::filesystem::path canonical =
      std::filesystem::canonical(folder, error);
  if (error) return PosixError(folder, error.value());
  const std::string root = canonical.string();
  const std::string tmp = root + "/tmp";
  ASSAY_RETURN_IF_ERROR(CreateDirectories(root + "/artifacts"));
  ASSAY_RETURN_IF_ERROR(CreateDirectories(tmp));
  // One at a time: a work folder without its lock is taken for abandoned.
  ASSAY_ASSIGN_OR_RETURN(const UniqueFd turn, LockFolder(tmp, LOCK_EX));
  RemoveAbandoned(tmp);
  ASSAY_ASSIGN_OR_RETURN(TempDir work, TempDir::CreateIn(tmp, "worker-"));
  ASSAY_ASSIGN_OR_RETURN(UniqueFd lock, LockFolder(work.path(), LOCK_EX));
  return ArtifactCache(root, std::move(lock), std::move(work));
}

std::string ArtifactCache::EntryFolder(const std::string& key) const {
  return absl::StrCat(folder_, "/artifacts/", key.substr(0, 2), "/", key);
}

absl::StatusOr<TempDir> ArtifactCache::CreateWorkFolder() const {
  return TempDir::CreateIn(work_.path(), "build-");
}

absl::StatusOr<std::optional<Artifact>> ArtifactCache::Find(
    const std::string& key) const {
  const std::string folder = EntryFolder(key);
  const absl::StatusOr<std::string> text =
      ReadFile(folder + kMeta, kMaxMetaBytes);
  struct stat info;
  if (absl::IsNotFound(text.status()) && lstat(folder.c_str(), &info) != 0 &&
      errno == ENOENT) {
    return std::nullopt;
  }
  const std::optional<Meta> meta =
      text.ok() ? MetaFromJson(*text) : std::nullopt;
  if (meta && meta->library_sha256.empty()) return Artifact{"", meta->log};
  if (meta) {
    const absl::StatusOr<std::string> sha256 = LibrarySha256(folder + kLibrary);
    if (sha256.ok() && *sha256 == meta->library_sha256) {
      return Artifact{folder + kLibrary, meta->log};
    }
  }
  LogWarning("build cache entry is damaged and is removed", {{"key", key}});
  ASSAY_RETURN_IF_ERROR(Remove(key));
  return std::nullopt;
}

absl::StatusOr<Artifact> ArtifactCache::AddLibrary(
    const std::string& key, const std::string& library,
    absl::string_view log) const {
  ASSAY_ASSIGN_OR_RETURN(const TempDir entry, CreateWorkFolder());
  Meta meta;
  ASSAY_ASSIGN_OR_RETURN(meta.library_sha256, LibrarySha256(library));
  meta.log = std::string(log);
  if (chmod(library.c_str(), 0555) != 0) return PosixError(library);
  if (rename(library.c_str(), (entry.path() + kLibrary).c_str()) != 0) {
    return PosixError(absl::StrCat("moving ", library));
  }
  ASSAY_RETURN_IF_ERROR(
      WriteFileAtomically(entry.path() + kMeta, MetaToJson(meta)));
  ASSAY_RETURN_IF_ERROR(Publish(key, entry));
  return Artifact{EntryFolder(key) + kLibrary, std::move(meta.log)};
}

absl::Status ArtifactCache::AddError(const std::string& key,
                                     absl::string_view log) const {
  ASSAY_ASSIGN_OR_RETURN(const TempDir entry, CreateWorkFolder());
  ASSAY_RETURN_IF_ERROR(WriteFileAtomically(
      entry.path() + kMeta, MetaToJson({"", std::string(log)})));
  return Publish(key, entry);
}

absl::Status ArtifactCache::Publish(const std::string& key,
                                    const TempDir& entry) const {
  const std::string folder = EntryFolder(key);
  ASSAY_RETURN_IF_ERROR(
      CreateDirectories(std::filesystem::path(folder).parent_path().string()));
  if (rename(entry.path().c_str(), folder.c_str()) == 0 || errno == ENOTEMPTY ||
      errno == EEXIST) {
    return absl::OkStatus();
  }
  return PosixError(absl::StrCat("adding ", folder, " to the build cache"));
}

absl::Status ArtifactCache::Remove(const std::string& key) const {
  // Away in one step; the files go with the work folder.
  ASSAY_ASSIGN_OR_RETURN(const TempDir grave, CreateWorkFolder());
  const std::string folder = EntryFolder(key);
  if (rename(folder.c_str(), (grave.path() + "/entry").c_str()) == 0 ||
      errno == ENOENT) {
    return absl::OkStatus();
  }
  return PosixError(absl::StrCat("removing ", folder));
}

}  // namespace assay
