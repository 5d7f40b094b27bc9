// Checks what a returning-style solution returned against the slot that it
// belongs in, and copies it there.

#ifndef ASSAY_WORKER_RUNNER_RETURNED_OUTPUT_H_
#define ASSAY_WORKER_RUNNER_RETURNED_OUTPUT_H_

#include <dlpack/dlpack.h>

#include <cstdint>

#include "absl/strings/string_view.h"
#include "worker/runner/bound_memory.h"
#include "worker/runner/failure.h"

namespace assay {

// Shape, then dtype, then device and layout have to be those of `slot`; `name`
// is the output's, for messages. On a GPU the copy may still be going on when
// this returns.
MaybeFailed CopyReturnedTensor(const DLTensor& returned, absl::string_view name,
                               const BoundTensor& slot);

// Copies as many bytes as the slot has from the device that it is on. Likewise.
MaybeFailed CopyReturnedBytes(const void* returned, const BoundTensor& slot);

// For 0-D outputs returned by value: floats take any number, integers and
// bools only their own kind.
MaybeFailed CopyReturnedFloat(double returned, absl::string_view name,
                              const BoundTensor& slot);
MaybeFailed CopyReturnedInt(int64_t returned, absl::string_view name,
                            const BoundTensor& slot);
MaybeFailed CopyReturnedBool(bool returned, absl::string_view name,
                             const BoundTensor& slot);

}  // namespace assay

#endif  // ASSAY_WORKER_RUNNER_RETURNED_OUTPUT_H_
