#include "worker/evaluate/verdict.h"

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"

namespace assay {
namespace {

v1::EvaluationStatus StatusOfFailure(worker::Failed::Kind kind) {
  switch (kind) {
    case worker::Failed::LOAD:
      return v1::COMPILE_ERROR;
    case worker::Failed::WRONG_SHAPE:
      return v1::INCORRECT_SHAPE;
    case worker::Failed::WRONG_DTYPE:
      return v1::INCORRECT_DTYPE;
    // INTERNAL too: a runner that could have itself tried again by claiming a
    // fault of ours would do so until it likes the answer.
    default:
      return v1::RUNTIME_ERROR;
  }
}

// The first thing to think of after a memory fault.
absl::string_view HintFor(absl::string_view detail) {
  if (absl::StrContains(detail, "signal 7 ")) {
    return "; note that inputs cannot be written to, and that /tmp and "
           "/dev/shm hold 1 GiB each";
  }
  return absl::StrContains(detail, "signal 11 ")
             ? "; note that inputs cannot be written to"
             : "";
}

}  // namespace

Verdict JudgeOutcome(const RunnerOutcome& outcome, absl::string_view what,
                     absl::Duration deadline) {
  switch (outcome.kind) {
    case RunnerOutcome::kFailed:
      return {StatusOfFailure(outcome.failed.kind()), outcome.failed.message(),
              outcome.failed.kind() == worker::Failed::INTERNAL};
    case RunnerOutcome::kTimeout:
      return {v1::TIMEOUT, absl::StrCat(what, " did not end within ",
                                        absl::FormatDuration(deadline))};
    case RunnerOutcome::kDied:
      return {v1::RUNTIME_ERROR,
              absl::StrCat(what, ": the process ended: ", outcome.detail,
                           HintFor(outcome.detail))};
    case RunnerOutcome::kOk:
      break;
  }
  return {};
}

}  // namespace assay
