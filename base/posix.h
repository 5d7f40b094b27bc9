// errno as absl::Status.

#ifndef ASSAY_BASE_POSIX_H_
#define ASSAY_BASE_POSIX_H_

#include <cerrno>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace assay {

// "`what`: No such file or directory" with the code that fits `error_number`.
absl::Status PosixError(absl::string_view what, int error_number = errno);

}  // namespace assay

#endif  // ASSAY_BASE_POSIX_H_
