// Build results on disk, found by a key that names everything behind them:
//
//   <folder>/artifacts/<first two digits of the key>/<key>/lib.so, meta.json
//   <folder>/tmp/: work in progress
//
// An entry is immutable. It appears in one step, by a rename of a finished
// folder, so that several workers may share a cache. Its library is checked
// against the digest noted at its birth each time it is taken.

#ifndef ASSAY_WORKER_BUILD_ARTIFACT_CACHE_H_
#define ASSAY_WORKER_BUILD_ARTIFACT_CACHE_H_

#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "base/fd.h"
#include "base/file.h"

namespace assay {

struct Artifact {
  // The shared library; empty when the sources do not compile.
  std::string library_path;
  // What the compiler said.
  std::string log;
};

// Thread-safe.
class ArtifactCache {
 public:
  // Creates the folder when it is missing, and removes what workers that died
  // left in it.
  static absl::StatusOr<ArtifactCache> Open(const std::string& folder);

  // Nothing when there is no such entry. One that is damaged is removed.
  absl::StatusOr<std::optional<Artifact>> Find(const std::string& key) const;

  // Adds a library by moving the file `library` here. It must lie in a folder
  // of CreateWorkFolder. When another worker was faster, its entry stays.
  absl::StatusOr<Artifact> AddLibrary(const std::string& key,
                                      const std::string& library,
                                      absl::string_view log) const;

  // Notes that the sources do not compile.
  absl::Status AddError(const std::string& key, absl::string_view log) const;

  absl::StatusOr<TempDir> CreateWorkFolder() const;

 private:
  ArtifactCache(std::string folder, UniqueFd lock, TempDir work)
      : folder_(std::move(folder)),
        lock_(std::move(lock)),
        work_(std::move(work)) {}

  std::string EntryFolder(const std::string& key) const;
  absl::Status Publish(const std::string& key, const TempDir& entry) const;
  // Takes a damaged entry away.
  absl::Status Remove(const std::string& key) const;

  std::string folder_;
  // Of `work_`, as long as it is in use. Goes with the process that holds it.
  UniqueFd lock_;
  // Has the work folders of this object.
  TempDir work_;
};

}  // namespace assay

#endif  // ASSAY_WORKER_BUILD_ARTIFACT_CACHE_H_
