#include "client/cli/exit_code.h"

namespace assay {

int64_t OutcomeCounts::total() const {
  int64_t sum = failed + cancelled;
  for (const auto& [status, count] : by_status) sum += count;
  return sum;
}

ExitCode ExitCodeFor(const OutcomeCounts& counts) {
  const auto any = [&counts](v1::EvaluationStatus status) {
    const auto found = counts.by_status.find(status);
    return found != counts.by_status.end() && found->second > 0;
  };
  // A verdict of a newer coordinator is none that this program knows.
  if (counts.failed > 0 || any(v1::EVALUATION_STATUS_UNSPECIFIED)) {
    return ExitCode::kInfrastructure;
  }
  if (any(v1::COMPILE_ERROR)) return ExitCode::kCompileError;
  if (any(v1::RUNTIME_ERROR)) return ExitCode::kRuntimeError;
  if (any(v1::TIMEOUT)) return ExitCode::kTimeout;
  if (any(v1::INCORRECT_SHAPE) || any(v1::INCORRECT_DTYPE) ||
      any(v1::INCORRECT_NUMERICAL)) {
    return ExitCode::kIncorrect;
  }
  if (counts.cancelled > 0) return ExitCode::kCancelled;
  return counts.total() > 0 ? ExitCode::kOk : ExitCode::kNothingRun;
}

ExitCode ExitCodeFor(const absl::Status& error) {
  switch (error.code()) {
    case absl::StatusCode::kOk:
      return ExitCode::kOk;
    case absl::StatusCode::kInvalidArgument:
    case absl::StatusCode::kNotFound:
    case absl::StatusCode::kAlreadyExists:
    case absl::StatusCode::kFailedPrecondition:
    case absl::StatusCode::kOutOfRange:
    case absl::StatusCode::kPermissionDenied:
      return ExitCode::kInvalidInput;
    case absl::StatusCode::kCancelled:
      return ExitCode::kCancelled;
    default:
      return ExitCode::kInfrastructure;
  }
}

const char kExitCodeHelp[] =
    "Exit codes (the first that applies, in the order 5 2 3 4 1 6 7 0):\n"
    "  0    everything passed, or the command did what it was asked\n"
    "  1    an evaluation was incorrect (shape, dtype or numerical)\n"
    "  2    a solution did not build or load\n"
    "  3    a solution raised or crashed\n"
    "  4    a solution ran into a deadline\n"
    "  5    infrastructure: a job without a verdict, no coordinator\n"
    "  6    cancelled\n"
    "  7    nothing was run: no device fits\n"
    "  64   wrong command line\n"
    "  65   wrong input: files, names, values\n"
    "  130  interrupted (143: terminated)\n";

}  // namespace assay
