#include "client/cli/evaluation_text.h"

#include <algorithm>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "client/cli/text.h"
#include "client/cli/units.h"

namespace assay {
namespace {

// "INCORRECT_NUMERICAL".
constexpr int kWordWidth = 19;
// "0.00412 ms" and "12345x".
constexpr int kLatencyWidth = 10;
constexpr int kSpeedupWidth = 6;
constexpr int kGap = 2;
// A name shorter than this says nothing any more.
constexpr int kMinNameWidth = 12;
// One workload of many axes must not push all others' results out of sight.
constexpr int kMaxPipedWorkloadWidth = 40;

// Whether the line ends a Python traceback: "ValueError: text", "KeyError",
// "torch.cuda.OutOfMemoryError: text".
bool IsExceptionLine(absl::string_view line) {
  const absl::string_view name = line.substr(0, line.find(':'));
  if (name.empty() || absl::StrContains(name, " ")) return false;
  for (const char* end : {"Error", "Exception", "Interrupt", "Exit", "Warning",
                          "StopIteration"}) {
    if (absl::EndsWith(name, end)) return true;
  }
  return false;
}

bool IsCompilerError(absl::string_view line) {
  return absl::StrContains(line, "error:") ||
         absl::StrContains(line, "error :") ||
         absl::StrContains(line, "undefined reference");
}

}  // namespace

std::string WorkloadLabel(const v1::Workload& workload) {
  if (workload.axes().empty()) return workload.uuid();
  return absl::StrJoin(workload.axes(), " ",
                       [](std::string* out, const v1::AxisValue& axis) {
                         absl::StrAppend(out, axis.name(), "=", axis.value());
                       });
}

std::string StatusWord(v1::EvaluationStatus status) {
  if (status == v1::EVALUATION_STATUS_UNSPECIFIED ||
      !v1::EvaluationStatus_IsValid(status)) {
    return "UNKNOWN";
  }
  return v1::EvaluationStatus_Name(status);
}

std::string TimerName(v1::Timer timer) {
  switch (timer) {
    case v1::HOST_CLOCK:
      return "host clock";
    case v1::CUPTI:
      return "CUPTI";
    case v1::CUDA_EVENTS:
      return "CUDA events";
    default:
      return "unknown timer";
  }
}

std::string Steadiness(const v1::Performance& performance) {
  if (!performance.unstable() && performance.repeats() <= 0) return "";
  std::string text = performance.unstable() ? "unstable" : "steady";
  if (performance.repeats() > 0) {
    absl::StrAppend(&text, " after ", Count(performance.repeats(), "repeat"));
  }
  return text;
}

std::string SlowedBy(const v1::Performance& performance) {
  return absl::StrReplaceAll(
      absl::StrJoin(performance.device_state().throttle_reasons(), ", "),
      {{"_", " "}});
}

std::string InstabilityText(const v1::Performance& performance) {
  if (!performance.unstable()) return "";
  std::string text =
      absl::StrCat(Steadiness(performance), ": 10% of the samples below ",
                   FormatLatency(performance.latency_p10_ms()), ", 90% below ",
                   FormatLatency(performance.latency_p90_ms()));
  if (const std::string reasons = SlowedBy(performance); !reasons.empty()) {
    absl::StrAppend(&text, ", device slowed down by ", reasons);
  }
  return text;
}

std::string FindingText(const v1::Finding& finding) {
  return absl::StrCat(
      finding.rule(), " (",
      v1::Finding::Effect_IsValid(finding.effect())
          ? absl::AsciiStrToLower(v1::Finding::Effect_Name(finding.effect()))
          : "unknown",
      "): ", finding.evidence());
}

std::string ReviewWord(v1::Review::State state) {
  switch (state) {
    case v1::Review::PENDING:
      return "held";
    case v1::Review::APPROVED:
      return "approved";
    case v1::Review::REJECTED:
      return "rejected";
    default:
      return "";
  }
}

Color StatusColor(v1::EvaluationStatus status) {
  return status == v1::PASSED ? Color::kGreen : Color::kRed;
}

std::string EvaluationDetails(const v1::Evaluation& evaluation) {
  if (evaluation.has_performance()) {
    const v1::Performance& performance = evaluation.performance();
    return absl::StrCat(
        PadLeft(FormatLatency(performance.latency_ms()), kLatencyWidth), "  ",
        PadLeft(FormatSpeedup(performance.speedup_factor()), kSpeedupWidth));
  }
  if (evaluation.has_correctness()) {
    const v1::Correctness& correctness = evaluation.correctness();
    return absl::StrCat(
        "off by ", FormatError(correctness.max_absolute_error()), ", relative ",
        FormatError(correctness.max_relative_error()));
  }
  return "";
}

std::string UsefulLogLine(const v1::Evaluation& evaluation) {
  const std::string log = Printable(evaluation.log());
  std::vector<absl::string_view> lines;
  for (const absl::string_view line : absl::StrSplit(log, '\n')) {
    const absl::string_view stripped = absl::StripAsciiWhitespace(line);
    if (!stripped.empty()) lines.push_back(stripped);
  }
  if (lines.empty()) return "";
  const auto own = std::find_if(
      lines.rbegin(), lines.rend(),
      [](absl::string_view line) { return absl::StartsWith(line, "assay:"); });
  if (own != lines.rend()) {
    return std::string(
        absl::StripAsciiWhitespace(absl::StripPrefix(*own, "assay:")));
  }
  const auto exception =
      std::find_if(lines.rbegin(), lines.rend(), IsExceptionLine);
  if (exception != lines.rend()) return std::string(*exception);
  const auto compiler =
      std::find_if(lines.begin(), lines.end(), IsCompilerError);
  if (compiler != lines.end()) return std::string(*compiler);
  return std::string(lines.front());
}

LineLayout FitLayout(int widest_solution, int widest_workload, int width) {
  LineLayout layout{widest_solution, widest_workload};
  if (width <= 0) {
    layout.workload = std::min(layout.workload, kMaxPipedWorkloadWidth);
    return layout;
  }
  const int names =
      std::max(2 * kMinNameWidth,
               width - (kWordWidth + kLatencyWidth + kSpeedupWidth + 4 * kGap));
  while (layout.solution + layout.workload > names) {
    // The wider column gives; neither below what can be read.
    int& wider =
        layout.solution >= layout.workload ? layout.solution : layout.workload;
    if (wider <= kMinNameWidth) break;
    --wider;
  }
  return layout;
}

std::string OutcomeLine(absl::string_view word, absl::string_view solution,
                        absl::string_view workload, absl::string_view details,
                        const LineLayout& layout) {
  const std::string line =
      absl::StrCat(PadRight(word, kWordWidth), "  ",
                   PadRight(CutMiddle(Printable(solution), layout.solution),
                            layout.solution),
                   "  ",
                   PadRight(CutMiddle(Printable(workload), layout.workload),
                            layout.workload),
                   "  ", details);
  return std::string(absl::StripTrailingAsciiWhitespace(line));
}

}  // namespace assay
