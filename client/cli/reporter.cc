#include "client/cli/reporter.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "client/cli/evaluation_text.h"
#include "client/cli/json_output.h"
#include "client/cli/queue_text.h"
#include "client/cli/text.h"

namespace assay {
namespace {

constexpr absl::string_view kIndent = "    ";

std::string StageWord(v1::JobStage stage) {
  if (stage == v1::JOB_STAGE_UNSPECIFIED || !v1::JobStage_IsValid(stage)) {
    return "running";
  }
  return absl::AsciiStrToLower(v1::JobStage_Name(stage));
}

// Whether the log has more than the one line that is shown.
bool HasMoreLines(absl::string_view log) {
  return absl::StrContains(absl::StripAsciiWhitespace(log), "\n");
}

class TextReporter final : public Reporter {
 public:
  TextReporter(Console& console, TextReporterOptions options)
      : console_(console), options_(std::move(options)) {}

  void Show(const v1::SubmissionEvent& event, const Tally& tally) override {
    if (event.has_submission()) {
      options_.labels.AddSolution(event.submission().solution());
    } else if (event.has_trace()) {
      ShowTrace(event.trace());
    } else if (event.has_job()) {
      ShowJob(event.job());
    } else if (event.has_queue()) {
      ShowQueue(event.queue());
    }
    ShowProgress(tally);
  }

 private:
  void ShowTrace(const v1::TraceRecord& record) {
    const v1::Trace& trace = record.trace();
    const v1::Evaluation& evaluation = trace.evaluation();
    options_.labels.AddSolution(trace.solution());
    options_.labels.AddWorkload(trace.workload());
    PrintOutcome(StatusWord(evaluation.status()),
                 StatusColor(evaluation.status()), trace.solution(),
                 WorkloadLabel(trace.workload()),
                 EvaluationDetails(evaluation));
    if (evaluation.performance().unstable()) {
      Detail(InstabilityText(evaluation.performance()));
    }
    for (const v1::Finding& finding : evaluation.findings()) {
      Detail(absl::StrCat("finding: ", FindingText(finding)));
    }
    ShowReview(record);
    if (evaluation.status() != v1::PASSED) ShowLog(record);
  }

  // A result that has already been reviewed is seen when a watch starts late.
  void ShowReview(const v1::TraceRecord& record) {
    if (record.review_state() == v1::Review::PENDING) {
      const bool passed = record.trace().evaluation().status() == v1::PASSED;
      Detail(absl::StrCat(passed ? "held for review, does not rank until then: "
                                 : "held for review, no other result of this "
                                   "revision ranks here until then: ",
                          record.id()));
    } else if (record.review_state() == v1::Review::REJECTED) {
      Detail(absl::StrCat("rejected in a review, does not rank: ",
                          record.reviews().rbegin()->reason()));
    }
  }

  void ShowLog(const v1::TraceRecord& record) {
    const v1::Evaluation& evaluation = record.trace().evaluation();
    if (evaluation.log().empty()) return;
    if (options_.whole_logs) {
      const std::string log = Printable(evaluation.log());
      for (const absl::string_view line :
           absl::StrSplit(absl::StripSuffix(log, "\n"), '\n')) {
        console_.Print(absl::StrCat(kIndent, line));
      }
      return;
    }
    const std::string line = UsefulLogLine(evaluation);
    if (!line.empty()) Detail(line);
    if (options_.log_command && HasMoreLines(evaluation.log())) {
      console_.Print(absl::StrCat(
          kIndent, "whole log: ", options_.log_command(record.id())));
    }
  }

  void ShowJob(const v1::Job& job) {
    const std::string workload = options_.labels.Workload(job.workload_uuid());
    if (job.state() == v1::FAILED) {
      PrintOutcome("NO_VERDICT", Color::kYellow, job.solution(), workload,
                   job.failure().reason());
      if (!job.failure().message().empty()) Detail(job.failure().message());
    } else if (job.state() == v1::CANCELLED) {
      PrintOutcome("CANCELLED", Color::kYellow, job.solution(), workload, "");
    } else if (job.state() == v1::RUNNING) {
      activity_ = absl::StrCat(StageWord(job.stage()), " ", job.solution(), " ",
                               workload);
    } else if (!job.note().empty()) {
      activity_ = absl::StrCat("waiting: ", job.note());
    }
  }

  void ShowQueue(const v1::QueueStatus& queue) {
    activity_ = absl::StrCat("waiting: ", QueueText(queue));
  }

  void PrintOutcome(const std::string& word, Color color,
                    const std::string& solution, const std::string& workload,
                    const std::string& details) {
    const LineLayout layout =
        FitLayout(options_.labels.widest_solution(),
                  options_.labels.widest_workload(), console_.width());
    const std::string line =
        OutcomeLine(word, solution, workload, details, layout);
    console_.Print(absl::StrCat(console_.Paint(word, color),
                                absl::string_view(line).substr(word.size())));
  }

  // A line that belongs to the one before.
  void Detail(absl::string_view text) {
    const std::string line = absl::StrCat(kIndent, Printable(text));
    console_.Print(CutEnd(line, console_.width()));
  }

  void ShowProgress(const Tally& tally) {
    if (tally.ended() >= tally.total()) {
      console_.ClearProgress();
      return;
    }
    console_.SetProgress(Printable(
        absl::StrCat("[", tally.ended(), "/", tally.total(), "] ",
                     activity_.empty() ? "waiting for a worker" : activity_)));
  }

  Console& console_;
  TextReporterOptions options_;
  // What the worker heard of last is doing.
  std::string activity_;
};

class JsonReporter final : public Reporter {
 public:
  explicit JsonReporter(Console& console) : console_(console) {}

  void Show(const v1::SubmissionEvent& event, const Tally&) override {
    console_.Print(Json().Set("event", Json(event)).Line());
  }

 private:
  Console& console_;
};

}  // namespace

void Labels::AddWorkload(const v1::Workload& workload) {
  std::string label = WorkloadLabel(workload);
  widest_workload_ = std::max(widest_workload_, TextWidth(label));
  workloads_[workload.uuid()] = std::move(label);
}

void Labels::AddSolution(absl::string_view name) {
  widest_solution_ = std::max(widest_solution_, TextWidth(name));
}

std::string Labels::Workload(const std::string& uuid) const {
  const auto found = workloads_.find(uuid);
  return found == workloads_.end() ? uuid : found->second;
}

std::unique_ptr<Reporter> MakeTextReporter(Console& console,
                                           TextReporterOptions options) {
  return std::make_unique<TextReporter>(console, std::move(options));
}

std::unique_ptr<Reporter> MakeJsonReporter(Console& console) {
  return std::make_unique<JsonReporter>(console);
}

}  // namespace assay
