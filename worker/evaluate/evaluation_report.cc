#include "worker/evaluate/evaluation_report.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "google/protobuf/util/time_util.h"

namespace assay {

v1::Evaluation NewEvaluation(const EvaluationTools& tools,
                             const EvaluationSettings& settings,
                             const StageClock& stages, const Verdict& verdict,
                             const std::string& printed) {
  v1::Evaluation evaluation;
  evaluation.set_status(verdict.status);
  const bool both = !verdict.message.empty() && !printed.empty();
  evaluation.set_log(absl::StrCat(verdict.message, both ? "\n" : "", printed));
  const v1::Device& device = tools.device.description();
  evaluation.mutable_environment()->set_hardware(device.model());
  *evaluation.mutable_environment()->mutable_libs() = device.libs();
  *evaluation.mutable_timestamp() =
      google::protobuf::util::TimeUtil::NanosecondsToTimestamp(
          absl::ToUnixNanos(tools.clock.Now()));
  *evaluation.mutable_config() = ToConfig(settings);
  for (v1::StageTime& time : stages.times()) {
    *evaluation.add_stage_times() = std::move(time);
  }
  evaluation.set_sandbox(tools.sandbox.description());
  return evaluation;
}

}  // namespace assay
