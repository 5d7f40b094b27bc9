// Python sources as memory that can be handed to a runner process.

#ifndef ASSAY_WORKER_EVALUATE_SOURCE_BUNDLE_H_
#define ASSAY_WORKER_EVALUATE_SOURCE_BUNDLE_H_

#include "absl/status/statusor.h"
#include "base/fd.h"
#include "worker/protocol/runner.pb.h"

namespace assay {

struct SharedBytes {
  UniqueFd fd;
  int64_t size_bytes = 0;
};

absl::StatusOr<SharedBytes> ShareBundle(const worker::SourceBundle& bundle);

}  // namespace assay

#endif  // ASSAY_WORKER_EVALUATE_SOURCE_BUNDLE_H_
