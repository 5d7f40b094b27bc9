#include "worker/evaluate/settings.h"

#include <algorithm>

#include "google/protobuf/duration.pb.h"
#include "google/protobuf/util/time_util.h"

namespace assay {
namespace {

using google::protobuf::util::TimeUtil;

constexpr absl::Duration kMinTimeout = absl::Milliseconds(1);
constexpr absl::Duration kMaxTimeout = absl::Hours(24);

absl::Duration FromProto(const google::protobuf::Duration& duration) {
  return std::clamp(
      absl::Seconds(duration.seconds()) + absl::Nanoseconds(duration.nanos()),
      kMinTimeout, kMaxTimeout);
}

google::protobuf::Duration ToProto(absl::Duration duration) {
  return TimeUtil::NanosecondsToDuration(absl::ToInt64Nanoseconds(duration));
}

// Fewer cannot tell who gives the same token for the same inputs from chance
// where sampling_tvd_threshold is as in FlashInfer-Bench's file.
constexpr int kFewestSamplingTrials = 500;

// What FlashInfer-Bench asks of low-bit results.
constexpr double kLowBitMatchedRatio = 0.95;

void ResolveEvaluator(const v1::Definition& definition,
                      const v1::EvaluationConfig& config,
                      EvaluationSettings& settings) {
  settings.evaluator = config.evaluator().empty() ? ChooseEvaluator(definition)
                                                  : config.evaluator();
  if (settings.evaluator == kLowBitEvaluator) {
    settings.required_matched_ratio = kLowBitMatchedRatio;
  }
  if (config.has_sampling_validation_trials()) {
    settings.sampling_validation_trials = std::clamp(
        config.sampling_validation_trials(), kFewestSamplingTrials, 100'000);
  }
  if (config.has_sampling_tvd_threshold()) {
    settings.sampling_tvd_threshold =
        std::clamp(config.sampling_tvd_threshold(), 0.0, 1.0);
  }
}

}  // namespace

EvaluationSettings ResolveSettings(const v1::Definition& definition,
                                   const v1::EvaluationConfig& config) {
  EvaluationSettings settings;
  ResolveEvaluator(definition, config, settings);
  if (config.has_warmup_runs()) {
    settings.warmup_runs = std::clamp(config.warmup_runs(), 0, 10'000);
  }
  if (config.has_iterations()) {
    settings.iterations = std::clamp(config.iterations(), 1, 100'000);
  }
  if (config.has_num_trials()) {
    settings.num_trials = std::clamp(config.num_trials(), 1, 100);
  }
  if (config.has_atol()) {
    settings.tolerance.atol = std::max(config.atol(), 0.0);
  }
  if (config.has_rtol()) {
    settings.tolerance.rtol = std::max(config.rtol(), 0.0);
  }
  if (config.has_required_matched_ratio()) {
    settings.required_matched_ratio =
        std::clamp(config.required_matched_ratio(), 0.0, 1.0);
  }
  if (config.has_build_timeout()) {
    settings.build_timeout = FromProto(config.build_timeout());
  }
  if (config.has_load_timeout()) {
    settings.load_timeout = FromProto(config.load_timeout());
  }
  if (config.has_run_timeout()) {
    settings.run_timeout = FromProto(config.run_timeout());
  }
  if (config.has_time_reference()) {
    settings.time_reference = config.time_reference();
  }
  return settings;
}

v1::EvaluationConfig ToConfig(const EvaluationSettings& settings) {
  v1::EvaluationConfig config;
  config.set_warmup_runs(settings.warmup_runs);
  config.set_iterations(settings.iterations);
  config.set_num_trials(settings.num_trials);
  config.set_atol(settings.tolerance.atol);
  config.set_rtol(settings.tolerance.rtol);
  config.set_required_matched_ratio(settings.required_matched_ratio);
  *config.mutable_build_timeout() = ToProto(settings.build_timeout);
  *config.mutable_load_timeout() = ToProto(settings.load_timeout);
  *config.mutable_run_timeout() = ToProto(settings.run_timeout);
  config.set_time_reference(settings.time_reference);
  config.set_evaluator(settings.evaluator);
  if (settings.evaluator == kSamplingEvaluator) {
    config.set_sampling_validation_trials(settings.sampling_validation_trials);
    config.set_sampling_tvd_threshold(settings.sampling_tvd_threshold);
  }
  return config;
}

}  // namespace assay
