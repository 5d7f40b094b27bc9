// One name for each store, however it is reached.

#ifndef ASSAY_SERVER_STORE_STORE_PATH_H_
#define ASSAY_SERVER_STORE_STORE_PATH_H_

#include <string>

#include "absl/status/statusor.h"

namespace assay {

// The absolute path without links, so that what lies beside the store, its lock
// before all, is found whichever link leads to it. The file may be missing.
// FAILED_PRECONDITION for a link that leads nowhere, and for what is no file
// that can be written.
absl::StatusOr<std::string> ResolveStorePath(const std::string& path);

}  // namespace assay

#endif  // ASSAY_SERVER_STORE_STORE_PATH_H_
