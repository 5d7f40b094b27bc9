// The flags that say how evaluations are carried out.

#ifndef ASSAY_CLIENT_CLI_EVALUATION_FLAGS_H_
#define ASSAY_CLIENT_CLI_EVALUATION_FLAGS_H_

#include <optional>
#include <string>

#include "absl/time/time.h"
#include "assay/v1/evaluation.pb.h"
#include "client/cli/command_line.h"

namespace assay {

// What is not given stays unset, and the worker's default applies.
struct EvaluationFlags {
  // Values out of range are refused while parsing.
  void AddTo(Command command);
  // The same, and --config, for EvaluationSource.
  void AddWithFileTo(Command command);

  v1::EvaluationConfig ToConfig() const;

  std::optional<int> warmup;
  std::optional<int> iterations;
  std::optional<int> trials;
  std::optional<double> atol;
  std::optional<double> rtol;
  std::optional<double> matched_ratio;
  std::optional<absl::Duration> timeout;
  std::optional<absl::Duration> build_timeout;
  bool no_reference_timing = false;
  std::string evaluator;
  // Of commands that take one; empty: not given.
  std::string config_file;
};

}  // namespace assay

#endif  // ASSAY_CLIENT_CLI_EVALUATION_FLAGS_H_
