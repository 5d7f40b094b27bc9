// The ranges of EvaluationConfig.

#ifndef ASSAY_SERVER_EVALUATION_EVALUATION_CONFIG_H_
#define ASSAY_SERVER_EVALUATION_EVALUATION_CONFIG_H_

#include "absl/status/status.h"
#include "assay/v1/evaluation.pb.h"

namespace assay {

// INVALID_ARGUMENT names the first field that is out of its range.
absl::Status CheckEvaluationConfig(const v1::EvaluationConfig& config);

}  // namespace assay

#endif  // ASSAY_SERVER_EVALUATION_EVALUATION_CONFIG_H_
