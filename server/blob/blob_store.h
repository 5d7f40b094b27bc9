// A content-addressed store of large contents: one file each, named by its
// SHA-256, in `<store>.blobs/ab/abcd…`. A blob appears whole or not at all.

#ifndef ASSAY_SERVER_BLOB_BLOB_STORE_H_
#define ASSAY_SERVER_BLOB_BLOB_STORE_H_

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "base/fd.h"
#include "base/sha256.h"

namespace assay {

// INVALID_ARGUMENT unless the text is 64 lower-case hex digits.
absl::Status CheckSha256(absl::string_view sha256);

// Thread-safe. Its calls read and write files.
class BlobStore {
 public:
  // Largest blob.
  static constexpr int64_t kMaxBlobBytes = int64_t{1} << 40;

  // One blob on its way in; undone unless committed. Not thread-safe.
  class Upload {
   public:
    ~Upload();
    // Holds a file.
    Upload(const Upload&) = delete;
    Upload& operator=(const Upload&) = delete;

    // INVALID_ARGUMENT when there is more than was announced.
    absl::Status Append(absl::string_view data);
    // Durable when it returns OK. INVALID_ARGUMENT when the content does not
    // have the announced size or digest.
    absl::Status Commit();

   private:
    friend class BlobStore;
    Upload(UniqueFd fd, std::string temporary, std::string folder,
           std::string sha256, int64_t size_bytes)
        : fd_(std::move(fd)),
          temporary_(std::move(temporary)),
          folder_(std::move(folder)),
          sha256_(std::move(sha256)),
          size_bytes_(size_bytes) {}

    UniqueFd fd_;
    // Empty after the commit.
    std::string temporary_;
    const std::string folder_;
    const std::string sha256_;
    const int64_t size_bytes_;
    int64_t received_bytes_ = 0;
    Sha256 hash_;
  };

  // Creates the folder when it is missing, and clears what uploads that were
  // cut off have left.
  static absl::StatusOr<std::unique_ptr<BlobStore>> Open(std::string folder);

  // Also notes that somebody asked, and is about to refer to it.
  bool Has(absl::string_view sha256) const;

  // Removes a blob, unless it was uploaded or asked for at `before` or later.
  // False when it stays or is gone already.
  absl::StatusOr<bool> RemoveIfUnused(absl::string_view sha256,
                                      absl::Time before);

  // INVALID_ARGUMENT for a bad digest or size.
  absl::StatusOr<std::unique_ptr<Upload>> Create(absl::string_view sha256,
                                                 int64_t size_bytes);

  struct Blob {
    std::string sha256;
    int64_t size_bytes = 0;
  };
  // All of them, in no order.
  absl::StatusOr<std::vector<Blob>> List() const;

  // NOT_FOUND when it is not stored.
  absl::StatusOr<UniqueFd> OpenForReading(absl::string_view sha256) const;

 private:
  explicit BlobStore(std::string folder) : folder_(std::move(folder)) {}
  std::string FolderOf(absl::string_view sha256) const;
  std::string PathOf(absl::string_view sha256) const;

  const std::string folder_;
  // Between looking at the time of a file and removing it.
  mutable absl::Mutex use_mutex_;
};

}  // namespace assay

#endif  // ASSAY_SERVER_BLOB_BLOB_STORE_H_
