// From what a runner process did to what is said about the solution.

#ifndef ASSAY_WORKER_EVALUATE_VERDICT_H_
#define ASSAY_WORKER_EVALUATE_VERDICT_H_

#include <string>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "assay/v1/evaluation.pb.h"
#include "worker/runner/session.h"

namespace assay {

// A status and why, for people.
struct Verdict {
  v1::EvaluationStatus status = v1::EVALUATION_STATUS_UNSPECIFIED;
  std::string message;
  // The runner says that it failed at its own part.
  bool runner_failed = false;
};

// For an outcome that is not kOk. `what` is what the process was asked to do,
// e.g. "loading the solution"; `deadline` is how long it had.
Verdict JudgeOutcome(const RunnerOutcome& outcome, absl::string_view what,
                     absl::Duration deadline);

}  // namespace assay

#endif  // ASSAY_WORKER_EVALUATE_VERDICT_H_
