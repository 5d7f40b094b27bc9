// How evaluations are carried out, every value filled in.

#ifndef ASSAY_WORKER_EVALUATE_SETTINGS_H_
#define ASSAY_WORKER_EVALUATE_SETTINGS_H_

#include <string>

#include "absl/time/time.h"
#include "assay/v1/definition.pb.h"
#include "assay/v1/evaluation.pb.h"
#include "kernels/measure/compare.h"
#include "schema/evaluators.h"

namespace assay {

// The fields of v1::EvaluationConfig, with its defaults; see there for units
// and ranges.
struct EvaluationSettings {
  int warmup_runs = 10;
  int iterations = 50;
  int num_trials = 3;
  measure::Tolerance tolerance{1e-2, 1e-2};
  double required_matched_ratio = 1.0;
  absl::Duration build_timeout = absl::Seconds(300);
  absl::Duration load_timeout = absl::Seconds(60);
  absl::Duration run_timeout = absl::Seconds(300);
  bool time_reference = true;
  // A name that schema/evaluators.h knows.
  std::string evaluator = kDefaultEvaluator;
  int sampling_validation_trials = 1000;
  double sampling_tvd_threshold = 0.02;
};

// The defaults, some of which are up to the evaluator, overridden by what
// `config` sets. The coordinator has checked the ranges; a value out of range
// is taken as the nearest one in it.
EvaluationSettings ResolveSettings(const v1::Definition& definition,
                                   const v1::EvaluationConfig& config);

// Every field set that was in force: what the evaluation reports.
v1::EvaluationConfig ToConfig(const EvaluationSettings& settings);

}  // namespace assay

#endif  // ASSAY_WORKER_EVALUATE_SETTINGS_H_
