// Copies a coordinator's store into a folder, from which another coordinator
// can start:
//
//   ASSAY_ASSIGN_OR_RETURN(const BackUpReport report,
//                          BackUp(*client, "backup", {}));
//   assay-coordinator --store backup/assay.db

#ifndef ASSAY_CLIENT_BACK_UP_H_
#define ASSAY_CLIENT_BACK_UP_H_

#include <cstdint>
#include <functional>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "client/client.h"

namespace assay {

struct BackUpOptions {
  // Told what is being done, e.g. "copying the database".
  std::function<void(absl::string_view)> on_progress;
};

struct BackUpReport {
  int64_t database_bytes = 0;
  int store_version = 0;
  // All that belong to the copy, and those of them that were not in the folder
  // before.
  int64_t blobs = 0;
  int64_t new_blobs = 0;
  int64_t new_blob_bytes = 0;
};

// Writes `assay.db` and `assay.db.blobs/` in `folder`, which is created. One
// that holds an older backup gets the new database and the blobs that it lacks;
// the older database is replaced at the very end, when all has been written to
// disk. Blobs that are no longer needed stay.
absl::StatusOr<BackUpReport> BackUp(Client& client, const std::string& folder,
                                    const BackUpOptions& options);

}  // namespace assay

#endif  // ASSAY_CLIENT_BACK_UP_H_
