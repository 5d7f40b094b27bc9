#include "worker/runner/failure.h"

#include <string>

#include "worker/log_capture.h"

namespace assay {
namespace {

// Tracebacks begin with where it happened and end with what happened. Together
// with the line that says how much was cut they fit 64 KiB.
constexpr size_t kHeadBytes = 24 << 10;
constexpr size_t kTailBytes = 39 << 10;

}  // namespace

worker::Failed MakeFailed(worker::Failed::Kind kind,
                          absl::string_view message) {
  BoundedLog text(kHeadBytes, kTailBytes);
  text.Append(message);
  worker::Failed failed;
  failed.set_kind(kind);
  failed.set_message(text.Text());
  return failed;
}

MaybeFailed InternalUnlessOk(const absl::Status& status) {
  if (status.ok()) return std::nullopt;
  return MakeFailed(worker::Failed::INTERNAL, status.message());
}

}  // namespace assay
