// What a solution may do between calls, when its process is stopped: nothing.

#ifndef ASSAY_WORKER_EVALUATE_PAUSE_RULES_H_
#define ASSAY_WORKER_EVALUATE_PAUSE_RULES_H_

#include <optional>

#include "assay/v1/evaluation.pb.h"
#include "worker/runner/session.h"

namespace assay {

// The rule of the findings below.
inline constexpr char kRanBetweenCalls[] = "ran_between_calls";

// That the solution's process, or one that it had started, took processor time
// in pauses. HOLD when its own did in several, which is no accident; else NOTE.
// Nothing when all stood still.
std::optional<v1::Finding> JudgePauses(const PauseRecord& record);

}  // namespace assay

#endif  // ASSAY_WORKER_EVALUATE_PAUSE_RULES_H_
