#include "client/cli/trace_text.h"

#include <google/protobuf/util/time_util.h>

#include <map>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "client/cli/evaluation_text.h"
#include "client/cli/fields.h"
#include "client/cli/text.h"
#include "client/cli/units.h"

namespace assay {
namespace {

void AddPerformance(const v1::Performance& performance, Fields& fields) {
  fields
      .Add("latency",
           absl::StrCat(FormatLatency(performance.latency_ms()), " (10% below ",
                        FormatLatency(performance.latency_p10_ms()),
                        ", 90% below ",
                        FormatLatency(performance.latency_p90_ms()), "; ",
                        Count(performance.num_samples(), "sample"), ", ",
                        TimerName(performance.timer()), ")"))
      .Add("reference", FormatLatency(performance.reference_latency_ms()))
      .Add("speed-up", FormatSpeedup(performance.speedup_factor()));
}

std::string StageTimes(const v1::Evaluation& evaluation) {
  return absl::StrJoin(
      evaluation.stage_times(), ", ",
      [](std::string* out, const v1::StageTime& time) {
        const int64_t milliseconds =
            google::protobuf::util::TimeUtil::DurationToMilliseconds(
                time.duration());
        absl::StrAppend(out, time.stage(), " ",
                        FormatElapsed(absl::Milliseconds(milliseconds)));
      });
}

std::string Libraries(const v1::Environment& environment) {
  // A map of protobuf has no order of its own.
  const std::map<std::string, std::string> sorted(environment.libs().begin(),
                                                  environment.libs().end());
  return absl::StrJoin(sorted, ", ", absl::PairFormatter(" "));
}

std::string FindingText(const v1::Finding& finding) {
  return absl::StrCat(
      finding.rule(), " (",
      v1::Finding::Effect_IsValid(finding.effect())
          ? absl::AsciiStrToLower(v1::Finding::Effect_Name(finding.effect()))
          : "unknown",
      "): ", finding.evidence());
}

}  // namespace

std::string TraceText(const v1::TraceRecord& record) {
  const v1::Trace& trace = record.trace();
  const v1::Evaluation& evaluation = trace.evaluation();
  Fields fields;
  fields.Add("id", record.id())
      .Add("status", StatusWord(evaluation.status()))
      .Add("definition", trace.definition())
      .Add("solution", trace.solution())
      .Add("workload", trace.workload().axes().empty()
                           ? trace.workload().uuid()
                           : absl::StrCat(WorkloadLabel(trace.workload()), " (",
                                          trace.workload().uuid(), ")"));
  if (evaluation.has_performance()) {
    AddPerformance(evaluation.performance(), fields);
  }
  if (evaluation.has_correctness()) {
    const v1::Correctness& correctness = evaluation.correctness();
    fields.Add("largest error",
               absl::StrCat(FormatError(correctness.max_absolute_error()),
                            ", relative ",
                            FormatError(correctness.max_relative_error())));
    fields.Add("evaluator", correctness.extra_json());
  }
  for (const v1::Finding& finding : evaluation.findings()) {
    fields.Add("finding", FindingText(finding));
  }
  fields.Add("hardware", evaluation.environment().hardware())
      .Add("libraries", Libraries(evaluation.environment()))
      .Add("sandbox", evaluation.sandbox())
      .Add("stages", StageTimes(evaluation))
      .Add("seed", evaluation.seed())
      .Add("worker", record.worker())
      .Add("submission", record.submission_id())
      .Add("imported", record.imported() ? "yes, not measured here" : "")
      .Add("recorded",
           absl::StrCat(FormatTime(record.create_time_us()), " UTC"))
      .AddBlock("log", evaluation.log());
  return fields.Render();
}

}  // namespace assay
