#include "client/back_up.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "assay/v1/admin_service.pb.h"
#include "base/fd.h"
#include "base/file.h"
#include "base/posix.h"
#include "base/sha256.h"
#include "base/status_macros.h"

namespace assay {
namespace {

// A file on its way to its place; removed unless it gets there.
class NewFile {
 public:
  static absl::StatusOr<NewFile> Create(const std::string& path) {
    NewFile file(path, absl::StrCat(path, ".new"));
    file.fd_ = UniqueFd(open(file.temporary_.c_str(),
                             O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
    if (!file.fd_.valid()) {
      return PosixError(absl::StrCat("creating ", file.temporary_));
    }
    return file;
  }
  ~NewFile() {
    if (fd_.valid()) unlink(temporary_.c_str());
  }
  NewFile(NewFile&&) = default;
  NewFile& operator=(NewFile&&) = delete;

  absl::Status Append(absl::string_view data) {
    bytes_ += static_cast<int64_t>(data.size());
    return WriteAll(fd_.get(), data, temporary_);
  }
  int64_t bytes() const { return bytes_; }

  // On disk, under its name.
  absl::Status Place() {
    if (fsync(fd_.get()) != 0) {
      return PosixError(absl::StrCat("syncing ", temporary_));
    }
    if (rename(temporary_.c_str(), path_.c_str()) != 0) {
      return PosixError(absl::StrCat("renaming to ", path_));
    }
    fd_ = UniqueFd();
    return absl::OkStatus();
  }

 private:
  NewFile(std::string path, std::string temporary)
      : path_(std::move(path)), temporary_(std::move(temporary)) {}

  std::string path_;
  std::string temporary_;
  UniqueFd fd_;
  int64_t bytes_ = 0;
};

// Names in a folder last when the folder is on disk.
absl::Status SyncFolder(const std::string& path) {
  const UniqueFd fd(open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (fd.valid() && fsync(fd.get()) == 0) return absl::OkStatus();
  return PosixError(absl::StrCat("syncing ", path));
}

bool HasSize(const std::string& path, int64_t bytes) {
  struct stat status;
  return stat(path.c_str(), &status) == 0 && status.st_size == bytes;
}

// The folder, laid out as a coordinator's own.
class Copy {
 public:
  Copy(Client& client, const std::string& folder, const BackUpOptions& options)
      : client_(client),
        folder_(folder),
        database_path_(folder + "/assay.db"),
        options_(options) {}

  absl::StatusOr<BackUpReport> Run() {
    Say("copying the database");
    ASSAY_RETURN_IF_ERROR(CreateDirectories(folder_));
    ASSAY_ASSIGN_OR_RETURN(NewFile database, NewFile::Create(database_path_));
    absl::Status taken;
    ASSAY_RETURN_IF_ERROR(client_.BackUp([&](const v1::BackUpResponse& part) {
      taken = Take(part, database);
      return taken;
    }));
    if (database.bytes() != report_.database_bytes) {
      return absl::DataLossError(absl::StrCat(
          "the database has ", database.bytes(), " bytes instead of the ",
          report_.database_bytes, " announced; try again"));
    }
    for (size_t i = 0; i < blobs_.size(); ++i) {
      Say(absl::StrCat("copying blobs: ", i, " of ", blobs_.size()));
      ASSAY_RETURN_IF_ERROR(AddBlob(blobs_[i]));
    }
    ASSAY_RETURN_IF_ERROR(database.Place());
    ASSAY_RETURN_IF_ERROR(SyncFolder(folder_));
    return report_;
  }

 private:
  void Say(absl::string_view what) {
    if (options_.on_progress) options_.on_progress(what);
  }

  absl::Status Take(const v1::BackUpResponse& part, NewFile& database) {
    if (part.has_header()) {
      report_.database_bytes = part.header().database_bytes();
      report_.store_version = part.header().store_version();
    } else if (part.has_blobs()) {
      blobs_.insert(blobs_.end(), part.blobs().blobs().begin(),
                    part.blobs().blobs().end());
    } else {
      return database.Append(part.database());
    }
    return absl::OkStatus();
  }

  // Blobs are named by their content: one that is there need not be copied.
  absl::Status AddBlob(const v1::BackUpResponse::Blob& blob) {
    if (blob.sha256().size() != 64 ||
        blob.sha256().find_first_not_of("0123456789abcdef") !=
            std::string::npos) {
      return absl::DataLossError(absl::StrCat("the coordinator names a blob \"",
                                              blob.sha256().substr(0, 100),
                                              "\", which is no digest"));
    }
    const std::string folder =
        absl::StrCat(database_path_, ".blobs/", blob.sha256().substr(0, 2));
    const std::string path = absl::StrCat(folder, "/", blob.sha256());
    if (HasSize(path, blob.size_bytes())) {
      ++report_.blobs;
      return absl::OkStatus();
    }
    ASSAY_RETURN_IF_ERROR(CreateDirectories(folder));
    ASSAY_ASSIGN_OR_RETURN(NewFile file, NewFile::Create(path));
    Sha256 hash;
    const absl::Status got =
        client_.GetBlob(blob.sha256(), [&](absl::string_view chunk) {
          hash.Update(chunk);
          return file.Append(chunk);
        });
    // Nothing refers to a blob that the coordinator has given up meanwhile.
    if (absl::IsNotFound(got)) return absl::OkStatus();
    ASSAY_RETURN_IF_ERROR(Annotate(got, absl::StrCat("blob ", blob.sha256())));
    if (hash.HexDigest() != blob.sha256()) {
      return absl::DataLossError(
          absl::StrCat("blob \"", blob.sha256(),
                       "\" came with other content; it is damaged in the "
                       "coordinator's store"));
    }
    ASSAY_RETURN_IF_ERROR(file.Place());
    ASSAY_RETURN_IF_ERROR(SyncFolder(folder));
    ++report_.blobs;
    ++report_.new_blobs;
    report_.new_blob_bytes += file.bytes();
    return absl::OkStatus();
  }

  Client& client_;
  const std::string folder_;
  const std::string database_path_;
  const BackUpOptions& options_;
  BackUpReport report_;
  std::vector<v1::BackUpResponse::Blob> blobs_;
};

}  // namespace

absl::StatusOr<BackUpReport> BackUp(Client& client, const std::string& folder,
                                    const BackUpOptions& options) {
  return Copy(client, folder, options).Run();
}

}  // namespace assay
