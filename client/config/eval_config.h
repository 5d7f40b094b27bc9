// The file that says how evaluations are carried out, in the form of
// FlashInfer-Bench's eval_config.yaml:
//
//   rtol: 0.01                     # for everything
//   op_type_config:
//     moe:
//       required_matched_ratio: 0.95
//   definition_config:
//     gemm_n4096_k4096:
//       atol: 0.05
//       evaluator: default         # Assay's addition
//
// The nearest counts: definition before op_type before everything.

#ifndef ASSAY_CLIENT_CONFIG_EVAL_CONFIG_H_
#define ASSAY_CLIENT_CONFIG_EVAL_CONFIG_H_

#include <map>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "assay/v1/evaluation.pb.h"

namespace assay {

struct EvalConfig {
  v1::EvaluationConfig all;
  // By op_type and by name of a definition.
  std::map<std::string, v1::EvaluationConfig> op_types;
  std::map<std::string, v1::EvaluationConfig> definitions;
  // Keys that FlashInfer-Bench knows and that say nothing here.
  std::vector<std::string> ignored;

  // What the file says of a definition.
  v1::EvaluationConfig For(absl::string_view definition,
                           absl::string_view op_type) const;
};

// INVALID_ARGUMENT as "line 3: op_type_config.moe.atol: ...": no YAML, a key
// that is not known, a value out of range.
absl::StatusOr<EvalConfig> ParseEvalConfig(absl::string_view text);

}  // namespace assay

#endif  // ASSAY_CLIENT_CONFIG_EVAL_CONFIG_H_
