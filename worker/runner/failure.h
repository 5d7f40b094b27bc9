// Failures that a runner reports: data about the solution, not errors of the
// program.

#ifndef ASSAY_WORKER_RUNNER_FAILURE_H_
#define ASSAY_WORKER_RUNNER_FAILURE_H_

#include <optional>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "worker/protocol/runner.pb.h"

namespace assay {

// Nothing: it went well.
using MaybeFailed = std::optional<worker::Failed>;

// `message` is made valid UTF-8 and cut in the middle to 64 KiB.
worker::Failed MakeFailed(worker::Failed::Kind kind, absl::string_view message);

// INTERNAL with the status's message; nothing when it is OK.
MaybeFailed InternalUnlessOk(const absl::Status& status);

}  // namespace assay

#endif  // ASSAY_WORKER_RUNNER_FAILURE_H_
