#include "base/posix.h"

#include "absl/strings/str_cat.h"

namespace assay {

absl::Status PosixError(absl::string_view what, int error_number) {
  return absl::ErrnoToStatus(error_number, what);
}

}  // namespace assay
