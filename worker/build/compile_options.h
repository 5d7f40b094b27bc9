// Which compiler options a solution may name.

#ifndef ASSAY_WORKER_BUILD_COMPILE_OPTIONS_H_
#define ASSAY_WORKER_BUILD_COMPILE_OPTIONS_H_

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace assay {

// OK for options that tune the language, warnings and code generation. Others
// (that load plugins, name programs, read or write files, or reach the linker)
// are INVALID_ARGUMENT with a message that lists what is allowed. Each option
// is one word: `-DN=4`, not `-D` and `N=4`.
absl::Status CheckCompileOption(absl::string_view option);

}  // namespace assay

#endif  // ASSAY_WORKER_BUILD_COMPILE_OPTIONS_H_
