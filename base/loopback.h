// Whether an address is of this machine alone.

#ifndef ASSAY_BASE_LOOPBACK_H_
#define ASSAY_BASE_LOOPBACK_H_

#include "absl/strings/string_view.h"

namespace assay {

// True for `localhost`, 127.0.0.0/8 and ::1. A name that only looks like one,
// as `127.0.0.1.example.org`, is not.
bool IsLoopbackHost(absl::string_view host);

// The same for `HOST:PORT` and `[IPV6]:PORT`; true for `unix:/path`.
bool IsLoopbackAddress(absl::string_view address);

}  // namespace assay

#endif  // ASSAY_BASE_LOOPBACK_H_
