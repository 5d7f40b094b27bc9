// What to do where bubblewrap cannot set a sandbox up.

#ifndef ASSAY_WORKER_SANDBOX_SANDBOX_REMEDY_H_
#define ASSAY_WORKER_SANDBOX_SANDBOX_REMEDY_H_

#include <string>

#include "absl/strings/string_view.h"

namespace assay {

// For people, by what went wrong in bubblewrap's words.
std::string SandboxRemedy(absl::string_view reason);

}  // namespace assay

#endif  // ASSAY_WORKER_SANDBOX_SANDBOX_REMEDY_H_
