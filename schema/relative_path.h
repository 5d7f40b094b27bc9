// Paths that must stay inside a folder.

#ifndef ASSAY_SCHEMA_RELATIVE_PATH_H_
#define ASSAY_SCHEMA_RELATIVE_PATH_H_

#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace assay {

// INVALID_ARGUMENT unless the path is relative, `/`-separated, at most 1,000
// bytes long with parts of at most 255, and free of `.`, `..` and empty parts,
// backslashes and control characters. The message says which and what to do.
absl::Status CheckRelativePath(absl::string_view path);

// Without the `./` that FlashInfer-Trace puts in front of a file's path.
absl::string_view WithoutDotSlash(absl::string_view path);

}  // namespace assay

#endif  // ASSAY_SCHEMA_RELATIVE_PATH_H_
