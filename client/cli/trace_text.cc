#include "client/cli/trace_text.h"

#include <google/protobuf/util/time_util.h>

#include <map>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "client/cli/evaluation_text.h"
#include "client/cli/fields.h"
#include "client/cli/text.h"
#include "client/cli/units.h"

namespace assay {
namespace {

// "SM 1755 to 1980 MHz, memory 2619 MHz, up to 71 C"; of what is known.
std::string Readings(const v1::DeviceState& state) {
  std::vector<std::string> parts;
  if (state.max_sm_clock_mhz() > 0) {
    parts.push_back(state.min_sm_clock_mhz() == state.max_sm_clock_mhz()
                        ? absl::StrCat("SM ", state.max_sm_clock_mhz(), " MHz")
                        : absl::StrCat("SM ", state.min_sm_clock_mhz(), " to ",
                                       state.max_sm_clock_mhz(), " MHz"));
  }
  if (state.memory_clock_mhz() > 0) {
    parts.push_back(absl::StrCat("memory ", state.memory_clock_mhz(), " MHz"));
  }
  if (state.max_temperature_c() > 0) {
    parts.push_back(absl::StrCat("up to ", state.max_temperature_c(), " C"));
  }
  return absl::StrJoin(parts, ", ");
}

std::string HostLatency(const v1::Performance& performance) {
  if (performance.host_latency_ms() <= 0) return "";
  return absl::StrCat(FormatLatency(performance.host_latency_ms()),
                      " wall-clock, until the device was idle");
}

void AddPerformance(const v1::Performance& performance, Fields& fields) {
  const std::string steadiness = Steadiness(performance);
  fields
      .Add("latency",
           absl::StrCat(
               FormatLatency(performance.latency_ms()),
               steadiness.empty() ? "" : ", ", steadiness, " (10% below ",
               FormatLatency(performance.latency_p10_ms()), ", 90% below ",
               FormatLatency(performance.latency_p90_ms()), "; ",
               Count(performance.num_samples(), "sample"), ", ",
               TimerName(performance.timer()), ")"))
      .Add("host latency", HostLatency(performance))
      .Add("clocks", Readings(performance.device_state()))
      .Add("slowed down by", SlowedBy(performance))
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

std::string ReviewText(const v1::Review& review) {
  return absl::StrCat(ReviewWord(review.decision()), " by ", review.reviewer(),
                      ", ", FormatTime(review.time_us()),
                      " UTC: ", review.reason());
}

// What the state means for the ranking; empty where it means nothing.
std::string StandingText(const v1::TraceRecord& record) {
  switch (record.review_state()) {
    case v1::Review::PENDING:
      if (record.trace().evaluation().status() != v1::PASSED) {
        return "held for review, no other result of this revision ranks here "
               "until it is approved";
      }
      return "held for review, does not rank until it is approved";
    case v1::Review::REJECTED:
      return "rejected, does not rank";
    default:
      return "";
  }
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
    fields.Add("right elements", correctness.has_matched_ratio()
                                     ? FormatShare(correctness.matched_ratio())
                                     : "");
    fields.Add("evaluator", correctness.extra_json());
  }
  for (const v1::Finding& finding : evaluation.findings()) {
    fields.Add("finding", FindingText(finding));
  }
  fields.Add("ranking", StandingText(record));
  for (const v1::Review& review : record.reviews()) {
    fields.Add("review", ReviewText(review));
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
