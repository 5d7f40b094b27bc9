// Binding `c`: the solution defines a plain C function; the build adds the
// translation unit that checks its signature and makes it callable by the
// runner, whatever the signature (worker/runner/c_entry.h has the ABI).
//
// For a definition with inputs x (tensor), factor (float32 scalar) and output
// y, the function wanted is
//
//   extern "C" int scale(const DLTensor* x, float factor, DLTensor* y,
//                        void* stream);
//
// and 0 means success.

#ifndef ASSAY_WORKER_BUILD_C_BINDING_H_
#define ASSAY_WORKER_BUILD_C_BINDING_H_

#include <string>

#include "absl/strings/string_view.h"
#include "assay/v1/definition.pb.h"

namespace assay {

// The translation unit: includes `entry_file`, checks that `symbol` has the
// wanted signature (failing with `message` when not) and defines the function
// that the runner calls. `symbol` must be an identifier.
std::string CBindingUnit(const v1::Definition& definition,
                         absl::string_view entry_file, absl::string_view symbol,
                         absl::string_view message);

}  // namespace assay

#endif  // ASSAY_WORKER_BUILD_C_BINDING_H_
