// Which options of NVIDIA's compiler a CUDA solution may name.

#ifndef ASSAY_WORKER_BUILD_NVCC_OPTIONS_H_
#define ASSAY_WORKER_BUILD_NVCC_OPTIONS_H_

#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace assay {

// OK for options that tune the language, warnings and code generation, of
// device code and, in `-Xcompiler=`, of host code. Others are INVALID_ARGUMENT
// with a message that lists what is allowed or says what to write instead. Each
// option is one word: `-Xptxas=-v`, not `-Xptxas` and `-v`.
absl::Status CheckNvccOption(absl::string_view option);

// The setting that an option makes, whichever of its spellings is used: "std",
// "optimize", "threads", "relocatable-device-code", ... The compiler takes each
// once, so that one of the solution takes the place of the default.
std::string NvccSetting(absl::string_view option);

// Whether NVIDIA's compiler can be given a file of that path: it hands paths to
// a shell.
bool IsSafeForNvcc(absl::string_view path);

}  // namespace assay

#endif  // ASSAY_WORKER_BUILD_NVCC_OPTIONS_H_
