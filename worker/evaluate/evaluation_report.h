// The parts that every evaluation has, whatever its status.

#ifndef ASSAY_WORKER_EVALUATE_EVALUATION_REPORT_H_
#define ASSAY_WORKER_EVALUATE_EVALUATION_REPORT_H_

#include <string>

#include "assay/v1/evaluation.pb.h"
#include "worker/evaluate/evaluation_tools.h"
#include "worker/evaluate/settings.h"
#include "worker/evaluate/stage_clock.h"
#include "worker/evaluate/verdict.h"

namespace assay {

// An evaluation with the verdict's status, environment, time, settings and
// stage times. Its log is the verdict's message, then `printed`.
v1::Evaluation NewEvaluation(const EvaluationTools& tools,
                             const EvaluationSettings& settings,
                             const StageClock& stages, const Verdict& verdict,
                             const std::string& printed);

}  // namespace assay

#endif  // ASSAY_WORKER_EVALUATE_EVALUATION_REPORT_H_
