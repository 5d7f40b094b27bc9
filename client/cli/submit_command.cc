#include "client/cli/submit_command.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "base/status_macros.h"
#include "client/cli/evaluation_flags.h"
#include "client/cli/evaluation_source.h"
#include "client/cli/follow.h"
#include "client/cli/import_text.h"
#include "client/cli/listing.h"
#include "client/cli/plan.h"
#include "client/cli/selection.h"
#include "client/cli/solution_source.h"
#include "client/cli/submit_all.h"
#include "client/cli/text.h"
#include "client/import.h"

namespace assay {
namespace {

struct Flags {
  std::string what;
  bool watch = false;
  bool all = false;
  std::vector<std::string> workloads;
  std::vector<std::string> hardware;
  std::optional<int> priority;
  Selection selection;
  EvaluationFlags evaluation;
};

int64_t NumJobs(const v1::Submission& submission) {
  return int64_t{submission.queued()} + submission.running() +
         submission.completed() + submission.failed() + submission.cancelled();
}

// What a submit command has sent, and what follows from it.
class Submit {
 public:
  Submit(const Flags& flags, CommandContext& context)
      : flags_(flags), context_(context), console_(context.console) {}

  absl::StatusOr<ExitCode> Execute() {
    const absl::Time start = absl::Now();
    ASSAY_ASSIGN_OR_RETURN(SolutionSource source,
                           FindSolutionSource(flags_.what));
    ASSAY_RETURN_IF_ERROR(CheckFlags(source));
    if (source.kind == SolutionSource::kTraceSet) {
      const int64_t unreadable = ReportUnreadable(context_, source.set);
      // A selection may well leave the broken ones aside.
      if (flags_.selection.is_everything()) refused_ += unreadable;
      ASSAY_RETURN_IF_ERROR(ApplySelection(flags_.selection, source.set));
    }
    ASSAY_ASSIGN_OR_RETURN(
        evaluation_,
        EvaluationSource::Open(flags_.evaluation, source.set.root, console_));
    ASSAY_ASSIGN_OR_RETURN(client_, context_.Connect());
    ASSAY_RETURN_IF_ERROR(source.kind == SolutionSource::kTraceSet
                              ? SubmitSet(source.set)
                              : SubmitOne(source));
    if (!flags_.watch) return PrintSubmitted();
    ASSAY_RETURN_IF_ERROR(Watch());
    PrintNotRun();
    const ExitCode code = Verdict(ExitCodeFor(tally_.outcomes()));
    PrintSummary(context_, tally_, absl::Now() - start, code);
    return code;
  }

 private:
  // Some flags have no meaning for a whole folder, others only there.
  absl::Status CheckFlags(const SolutionSource& source) const {
    const bool is_set = source.kind == SolutionSource::kTraceSet;
    if (is_set && !flags_.workloads.empty()) {
      return absl::InvalidArgumentError(
          "--workload goes with a single solution; choose from a trace set "
          "with --definitions, --solutions or --op-type");
    }
    if (!is_set && !flags_.selection.is_everything()) {
      return absl::InvalidArgumentError(
          absl::StrCat("--definitions, --solutions and --op-type choose from a "
                       "trace set; \"",
                       flags_.what, "\" is a single solution"));
    }
    return absl::OkStatus();
  }

  absl::Status SubmitOne(const SolutionSource& source) {
    v1::CreateSubmissionRequest request;
    if (source.kind == SolutionSource::kStoredName) {
      request.set_solution_name(flags_.what);
    } else {
      *request.mutable_solution() = source.solution;
    }
    request.mutable_workload_uuids()->Add(flags_.workloads.begin(),
                                          flags_.workloads.end());
    request.mutable_hardware()->Add(flags_.hardware.begin(),
                                    flags_.hardware.end());
    ASSAY_ASSIGN_OR_RETURN(const std::string definition, DefinitionOf(source));
    ASSAY_ASSIGN_OR_RETURN(
        *request.mutable_config(),
        evaluation_->For(definition, FindOpType(source.set, *client_)));
    request.set_priority(flags_.priority.value_or(0));
    const auto submission = client_->CreateSubmission(request);
    if (!submission.ok()) return Explain(submission.status(), source);
    submissions_.push_back(*submission);
    return absl::OkStatus();
  }

  // Empty where there is none: the submission says so.
  absl::StatusOr<std::string> DefinitionOf(const SolutionSource& source) {
    if (source.kind != SolutionSource::kStoredName) {
      return source.solution.definition();
    }
    // Only a file speaks of definitions.
    if (flags_.evaluation.config_file.empty()) return "";
    const absl::StatusOr<v1::SolutionRecord> record =
        client_->GetSolution(flags_.what);
    if (absl::IsNotFound(record.status())) return "";
    if (!record.ok()) return record.status();
    return record->solution().definition();
  }

  // Names what was meant perhaps, when something is unknown.
  absl::Status Explain(const absl::Status& status,
                       const SolutionSource& source) {
    if (status.code() != absl::StatusCode::kNotFound) return status;
    if (source.kind == SolutionSource::kStoredName) {
      return SuggestSolutions(
          absl::NotFoundError(
              absl::StrCat("there is neither a file nor a stored solution \"",
                           flags_.what, "\"")),
          *client_, flags_.what);
    }
    if (client_->GetDefinition(source.solution.definition()).ok()) {
      return status;
    }
    return SuggestDefinitions(status, *client_, source.solution.definition());
  }

  absl::Status SubmitSet(TraceSet& set) {
    ImportOptions options;
    options.on_progress = [this](absl::string_view what) {
      console_.SetProgress(what);
    };
    TraceSet without_traces = set;
    without_traces.traces.clear();
    const absl::StatusOr<ImportReport> report =
        ImportTraceSet(*client_, std::move(without_traces), options);
    console_.ClearProgress();
    if (!report.ok()) return report.status();
    refused_ += report->response.rejected();
    ReportRejections(context_, report->response);
    DropRejected(report->response, set);
    ASSAY_ASSIGN_OR_RETURN(Plan plan, MakePlan(set));
    SubmitReport submitted;
    absl::Status status = SubmitAll(context_, *client_, plan, flags_.hardware,
                                    *evaluation_, FindOpType(set, *client_),
                                    flags_.priority.value_or(0), submitted);
    refused_ += submitted.refused;
    submissions_ = std::move(submitted.submissions);
    not_run_ = std::move(plan.not_run);
    labels_ = std::move(plan.labels);
    // These go on whatever became of the rest.
    if (!status.ok() && !submissions_.empty()) PrintSubmissions();
    return status;
  }

  // Leaves out what no worker known now can run, unless told otherwise: it
  // would wait for ever.
  absl::StatusOr<Plan> MakePlan(const TraceSet& set) {
    if (flags_.all || !flags_.hardware.empty()) return PlanAll(set);
    std::vector<v1::Device> devices;
    ASSAY_RETURN_IF_ERROR(client_->ListWorkers().ForEach(
        [&devices](const v1::WorkerRecord& worker) {
          if (worker.state() != v1::WorkerRecord::LOST) {
            devices.push_back(worker.device());
          }
          return true;
        }));
    if (devices.empty()) {
      console_.Note(
          "no worker is connected; the jobs wait for one: assay-worker");
      return PlanAll(set);
    }
    return PlanFor(set, devices);
  }

  ExitCode PrintSubmitted() {
    int64_t jobs = 0;
    for (const v1::Submission& submission : submissions_) {
      jobs += NumJobs(submission);
    }
    const ExitCode code =
        Verdict(jobs == 0 ? ExitCode::kNothingRun : ExitCode::kOk);
    PrintSubmissions();
    if (context_.json) return code;
    PrintNotRun();
    if (jobs > 0) {
      console_.Print(absl::StrCat("watch with: ", CommandFor("watch")));
    }
    return code;
  }

  void PrintSubmissions() {
    if (context_.json) {
      Json document;
      document.Set("submissions", JsonArray(submissions_))
          .Set("not_run", NotRunJson(not_run_));
      console_.Print(flags_.watch ? document.Line() : document.Indented());
      return;
    }
    for (const v1::Submission& submission : submissions_) {
      console_.Print(absl::StrCat("submitted ", submission.solution(), " as ",
                                  submission.id(), ": ",
                                  Count(NumJobs(submission), "job")));
      PrintSkipped(submission);
    }
  }

  // One line for each reason; `submissions get` has one for each workload.
  void PrintSkipped(const v1::Submission& submission) {
    std::map<std::string, int64_t> by_reason;
    for (const auto& skipped : submission.skipped()) {
      ++by_reason[skipped.reason()];
    }
    for (const auto& [reason, count] : by_reason) {
      console_.Print(Printable(
          absl::StrCat("  skipped ", Count(count, "workload"), ": ", reason)));
    }
  }

  // "assay watch sub-1 sub-2"; in general terms when the ids are too many.
  std::string CommandFor(absl::string_view command) const {
    constexpr size_t kMaxIds = 5;
    std::string line(command);
    if (submissions_.size() > kMaxIds) {
      absl::StrAppend(&line, " ID...");
    } else {
      for (const v1::Submission& submission : submissions_) {
        absl::StrAppend(&line, " ", submission.id());
      }
    }
    return context_.CommandLine(line);
  }

  void PrintNotRun() {
    if (context_.json) {
      console_.Print(Json().Set("not_run", NotRunJson(not_run_)).Line());
    } else if (!not_run_.empty()) {
      console_.Print(NotRunText(not_run_, console_.width()));
    }
  }

  absl::Status Watch() {
    std::vector<std::string> ids;
    for (const v1::Submission& submission : submissions_) {
      ids.push_back(submission.id());
    }
    if (submissions_.size() == 1) {
      ASSAY_ASSIGN_OR_RETURN(
          labels_, LoadLabels(*client_, {submissions_[0].definition()}));
    }
    if (!context_.json) {
      for (const v1::Submission& submission : submissions_) {
        PrintSkipped(submission);
      }
    }
    TextReporterOptions options;
    options.labels = labels_;
    options.log_command = [this](const std::string& trace_id) {
      return context_.CommandLine(absl::StrCat("traces get ", trace_id));
    };
    const absl::Status status =
        FollowSubmissions(context_, *client_, ids, std::move(options), tally_);
    if (!status.ok() && !ids.empty()) {
      console_.Note(absl::StrCat("the evaluation goes on; watch it with \"",
                                 CommandFor("watch"), "\", end it with \"",
                                 CommandFor("cancel"), "\""));
    }
    return status;
  }

  // What was refused must not pass for a success.
  ExitCode Verdict(ExitCode code) const {
    const bool clean = code == ExitCode::kOk || code == ExitCode::kNothingRun;
    return clean && refused_ > 0 ? ExitCode::kInvalidInput : code;
  }

  const Flags& flags_;
  CommandContext& context_;
  Console& console_;
  std::optional<EvaluationSource> evaluation_;
  std::unique_ptr<Client> client_;
  std::vector<v1::Submission> submissions_;
  std::vector<NotRun> not_run_;
  Labels labels_;
  Tally tally_;
  // Files and items that had to be left out.
  int64_t refused_ = 0;
};

}  // namespace

void AddSubmitCommand(Command root, CommandContext& context) {
  const auto flags = std::make_shared<Flags>();
  Command command = root.AddCommand(
      "submit", "Send solutions to the coordinator for evaluation");
  command.Required("what", flags->what,
                   "JSON file of a solution, folder of a solution, folder of "
                   "a trace set, or name of a stored solution");
  command.Switch("--watch", flags->watch,
                 "Show the evaluations as they arrive");
  command.List(
      "--workload", flags->workloads,
      {"Only these workloads (default: all of the definition)", "UUID"});
  command.List(
      "--hardware", flags->hardware,
      {"A job for each of these per workload, e.g. cpu, NVIDIA_H200", "WORD"});
  command.Number("--priority", flags->priority, -100, 100,
                 {"-100 to 100, higher goes first (default: 0)", "N"});
  command.Switch("--all", flags->all,
                 "Of a trace set, also what no worker can run now");
  flags->selection.AddTo(command);
  flags->evaluation.AddWithFileTo(command);
  FinishCommand(command, context, [flags](CommandContext& invoked) {
    return Submit(*flags, invoked).Execute();
  });
}

}  // namespace assay
