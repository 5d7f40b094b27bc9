#include "server/evaluation/evaluation_config.h"

#include <cmath>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "base/status_macros.h"
#include "schema/evaluators.h"

namespace assay {
namespace {

// Longest deadline of a stage: a day.
constexpr int64_t kMaxTimeoutSeconds = 86400;

absl::Status OutOfRange(absl::string_view field, const absl::AlphaNum& value,
                        absl::string_view range) {
  return absl::InvalidArgumentError(
      absl::StrCat("config.", field, " \"", value.Piece(),
                   "\" is out of range: use ", range));
}

absl::Status CheckInt(absl::string_view field, int value, int low, int high) {
  if (value >= low && value <= high) return absl::OkStatus();
  return OutOfRange(field, value, absl::StrCat(low, " to ", high));
}

absl::Status CheckTolerance(absl::string_view field, double value) {
  if (std::isfinite(value) && value >= 0) return absl::OkStatus();
  return OutOfRange(field, value, "a finite number of at least 0");
}

absl::Status CheckTimeout(absl::string_view field,
                          const google::protobuf::Duration& value) {
  const bool positive = value.seconds() >= 0 && value.nanos() >= 0 &&
                        (value.seconds() > 0 || value.nanos() > 0);
  if (positive && value.seconds() <= kMaxTimeoutSeconds &&
      value.nanos() < 1000000000) {
    return absl::OkStatus();
  }
  return OutOfRange(field, absl::StrCat(value.seconds(), " s"),
                    "more than 0 s and at most a day");
}

absl::Status CheckEvaluatorFields(const v1::EvaluationConfig& config) {
  if (config.has_evaluator()) {
    ASSAY_RETURN_IF_ERROR(
        Annotate(CheckEvaluatorName(config.evaluator()), "config.evaluator"));
  }
  if (config.has_sampling_validation_trials()) {
    ASSAY_RETURN_IF_ERROR(CheckInt("sampling_validation_trials",
                                   config.sampling_validation_trials(), 1,
                                   100'000));
  }
  // Written so that a NaN does not pass.
  if (config.has_sampling_tvd_threshold() &&
      !(config.sampling_tvd_threshold() >= 0 &&
        config.sampling_tvd_threshold() <= 1)) {
    return OutOfRange("sampling_tvd_threshold", config.sampling_tvd_threshold(),
                      "0 to 1");
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status CheckEvaluationConfig(const v1::EvaluationConfig& config) {
  if (config.has_warmup_runs()) {
    ASSAY_RETURN_IF_ERROR(
        CheckInt("warmup_runs", config.warmup_runs(), 0, 10000));
  }
  if (config.has_iterations()) {
    ASSAY_RETURN_IF_ERROR(
        CheckInt("iterations", config.iterations(), 1, 100000));
  }
  if (config.has_num_trials()) {
    ASSAY_RETURN_IF_ERROR(CheckInt("num_trials", config.num_trials(), 1, 100));
  }
  if (config.has_atol()) {
    ASSAY_RETURN_IF_ERROR(CheckTolerance("atol", config.atol()));
  }
  if (config.has_rtol()) {
    ASSAY_RETURN_IF_ERROR(CheckTolerance("rtol", config.rtol()));
  }
  // Written so that a NaN does not pass.
  if (config.has_required_matched_ratio() &&
      !(config.required_matched_ratio() > 0 &&
        config.required_matched_ratio() <= 1)) {
    return OutOfRange("required_matched_ratio", config.required_matched_ratio(),
                      "above 0 to 1");
  }
  if (config.has_build_timeout()) {
    ASSAY_RETURN_IF_ERROR(
        CheckTimeout("build_timeout", config.build_timeout()));
  }
  if (config.has_load_timeout()) {
    ASSAY_RETURN_IF_ERROR(CheckTimeout("load_timeout", config.load_timeout()));
  }
  if (config.has_run_timeout()) {
    ASSAY_RETURN_IF_ERROR(CheckTimeout("run_timeout", config.run_timeout()));
  }
  return CheckEvaluatorFields(config);
}

}  // namespace assay
