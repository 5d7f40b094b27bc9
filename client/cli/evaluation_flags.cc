#include "client/cli/evaluation_flags.h"

#include <cstdint>
#include <limits>

#include "absl/strings/str_split.h"
#include "schema/evaluators.h"

namespace assay {
namespace {

google::protobuf::Duration ToProto(absl::Duration rest) {
  google::protobuf::Duration duration;
  duration.set_seconds(absl::IDivDuration(rest, absl::Seconds(1), &rest));
  duration.set_nanos(static_cast<int32_t>(absl::ToInt64Nanoseconds(rest)));
  return duration;
}

FlagHelp Help(const char* description, const char* type = "") {
  return FlagHelp(description, type, "Evaluation");
}

}  // namespace

void EvaluationFlags::AddTo(Command command) {
  const double largest = std::numeric_limits<double>::max();
  command.Number("--warmup", warmup, 0, 10000,
                 Help("Untimed calls before the samples of a trial", "N"));
  command.Number("--iterations", iterations, 1, 100000,
                 Help("Timed calls of a trial", "N"));
  command.Number("--trials", trials, 1, 100,
                 Help("Trials, each on inputs of its own", "N"));
  const double smallest = std::numeric_limits<double>::min();
  command.Number("--rtol", rtol, smallest, largest,
                 Help("Relative tolerance", "X"));
  command.Number("--atol", atol, smallest, largest,
                 Help("Absolute tolerance; an element is wrong when it "
                      "exceeds both tolerances",
                      "X"));
  command.Number("--matched-ratio", matched_ratio, smallest, 1,
                 Help("Share of elements that must be right", "X"));
  command.Duration(
      "--timeout", timeout,
      Help("Deadline of one workload's calls, e.g. 30s", "DURATION"));
  command.Duration("--build-timeout", build_timeout,
                   Help("Deadline of the build, e.g. 5m", "DURATION"));
  command.Switch("--no-reference-timing", no_reference_timing,
                 Help("Leave out the reference's latency, and with it the "
                      "speed-up"));
  command.Choice(
      "--evaluator", evaluator, absl::StrSplit(EvaluatorNames(), ", "),
      Help("Who judges outputs (default: by the definition)", "NAME"));
}

void EvaluationFlags::AddWithFileTo(Command command) {
  AddTo(command);
  command.Text("--config", config_file,
               Help("File of the form of eval_config.yaml; flags come before "
                    "it (default: eval_config.yaml of the trace set)",
                    "FILE"));
}

v1::EvaluationConfig EvaluationFlags::ToConfig() const {
  v1::EvaluationConfig config;
  if (warmup.has_value()) config.set_warmup_runs(*warmup);
  if (iterations.has_value()) config.set_iterations(*iterations);
  if (trials.has_value()) config.set_num_trials(*trials);
  if (atol.has_value()) config.set_atol(*atol);
  if (rtol.has_value()) config.set_rtol(*rtol);
  if (matched_ratio.has_value()) {
    config.set_required_matched_ratio(*matched_ratio);
  }
  if (timeout.has_value()) *config.mutable_run_timeout() = ToProto(*timeout);
  if (build_timeout.has_value()) {
    *config.mutable_build_timeout() = ToProto(*build_timeout);
  }
  if (no_reference_timing) config.set_time_reference(false);
  if (!evaluator.empty()) config.set_evaluator(evaluator);
  return config;
}

}  // namespace assay
