#include "client/cli/run_command.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "base/status_macros.h"
#include "client/cli/board_text.h"
#include "client/cli/evaluation_flags.h"
#include "client/cli/evaluation_source.h"
#include "client/cli/export_text.h"
#include "client/cli/follow.h"
#include "client/cli/import_text.h"
#include "client/cli/local_stack.h"
#include "client/cli/local_stack_flags.h"
#include "client/cli/plan.h"
#include "client/cli/selection.h"
#include "client/cli/submit_all.h"
#include "client/cli/text.h"
#include "client/export.h"
#include "client/import.h"

namespace assay {
namespace {

// For all submissions of a run that is given up: somebody waits for the end.
constexpr absl::Duration kCancelTimeout = absl::Seconds(5);

struct Flags {
  std::string trace_set;
  std::string output;
  bool logs = false;
  Selection selection;
  EvaluationFlags evaluation;
  LocalStack::Options stack;
};

// One run, from the folder to the boards.
class Run {
 public:
  Run(const Flags& flags, CommandContext& context)
      : flags_(flags), context_(context), console_(context.console) {}

  absl::StatusOr<ExitCode> Execute() {
    ASSAY_RETURN_IF_ERROR(CheckOutput());
    ASSAY_RETURN_IF_ERROR(ReadSet());
    console_.SetProgress("starting a coordinator and a worker");
    LocalStack::Options options = flags_.stack;
    options.cancellation = &context_.cancellation;
    ASSAY_ASSIGN_OR_RETURN(stack_, LocalStack::Start(std::move(options)));
    const absl::Status status = Evaluate();
    console_.ClearProgress();
    // That a program ended explains whatever went wrong after it.
    ASSAY_RETURN_IF_ERROR(stack_->CheckRunning());
    if (!status.ok()) {
      if (context_.cancellation.cancelled()) CancelSubmissions();
      return status;
    }
    if (Verdict() == ExitCode::kInfrastructure) {
      console_.Note(absl::StrCat("the logs of coordinator and worker are in ",
                                 stack_->KeepLogs()));
    }
    return Verdict();
  }

 private:
  // Better now than after the work.
  absl::Status CheckOutput() const {
    std::error_code error;
    if (flags_.output.empty() ||
        !std::filesystem::exists(flags_.output, error) ||
        (std::filesystem::is_directory(flags_.output, error) &&
         std::filesystem::is_empty(flags_.output, error))) {
      return absl::OkStatus();
    }
    return absl::AlreadyExistsError(absl::StrCat(
        "--output \"", flags_.output, "\" exists already; name a new folder"));
  }

  // What could not be read or was refused must not pass for a success.
  ExitCode Verdict() const {
    const ExitCode code = ExitCodeFor(tally_.outcomes());
    const bool clean = code == ExitCode::kOk || code == ExitCode::kNothingRun;
    return clean && refused_ > 0 ? ExitCode::kInvalidInput : code;
  }

  absl::Status ReadSet() {
    ASSAY_ASSIGN_OR_RETURN(set_, ReadTraceSet(flags_.trace_set));
    const int64_t unreadable = ReportUnreadable(context_, set_);
    // A selection may well leave the broken ones aside.
    if (flags_.selection.is_everything()) refused_ += unreadable;
    ASSAY_RETURN_IF_ERROR(ApplySelection(flags_.selection, set_));
    ASSAY_ASSIGN_OR_RETURN(
        evaluation_,
        EvaluationSource::Open(flags_.evaluation, set_.root, console_));
    // What was measured elsewhere has no part in this run.
    set_.traces.clear();
    if (!set_.solutions.empty()) return absl::OkStatus();
    return absl::InvalidArgumentError(absl::StrCat(
        flags_.trace_set, " has no solutions",
        flags_.selection.is_everything() ? "" : " that were selected",
        "; put them in ", flags_.trace_set, "/solutions"));
  }

  absl::Status Evaluate() {
    const absl::Time start = absl::Now();
    ASSAY_RETURN_IF_ERROR(Import());
    const Plan plan = PlanFor(set_, {stack_->device()});
    ASSAY_RETURN_IF_ERROR(SubmitAll(context_, client(), plan, /*hardware=*/{},
                                    *evaluation_, FindOpType(set_, client()),
                                    /*priority=*/0, submitted_));
    refused_ += submitted_.refused;
    if (absl::Status followed = Follow(plan.labels); !followed.ok()) {
      // What there is so far. In JSON a summary means that all was done.
      if (!context_.json) console_.Print(tally_.Summary());
      return followed;
    }
    PrintNotRun(plan);
    ASSAY_RETURN_IF_ERROR(PrintBoards(plan));
    PrintSummary(context_, tally_, absl::Now() - start, Verdict());
    return Export();
  }

  absl::Status Import() {
    ImportOptions options;
    options.on_progress = [this](absl::string_view what) {
      console_.SetProgress(what);
    };
    ASSAY_ASSIGN_OR_RETURN(const ImportReport report,
                           ImportTraceSet(client(), set_, options));
    refused_ += report.response.rejected();
    ReportRejections(context_, report.response);
    DropRejected(report.response, set_);
    return absl::OkStatus();
  }

  // In a store that is kept, what is still queued would be run by the next
  // worker.
  void CancelSubmissions() {
    if (flags_.stack.store.empty()) return;
    context_.cancellation.Reset();
    const absl::Time deadline = absl::Now() + kCancelTimeout;
    for (const v1::Submission& submission : submitted_.submissions) {
      const absl::Status status =
          client()
              .CancelSubmission(submission.id(), deadline - absl::Now())
              .status();
      if (status.ok()) continue;
      console_.Note(absl::StrCat("submissions stay queued in ",
                                 flags_.stack.store, ": ",
                                 std::string(status.message())));
      break;
    }
    // The command has been interrupted all the same.
    context_.cancellation.Cancel();
  }

  absl::Status Follow(const Labels& labels) {
    std::vector<std::string> ids;
    for (const v1::Submission& submission : submitted_.submissions) {
      ids.push_back(submission.id());
    }
    TextReporterOptions options;
    options.labels = labels;
    options.whole_logs = flags_.logs;
    return FollowSubmissions(context_, client(), ids, std::move(options),
                             tally_);
  }

  void PrintNotRun(const Plan& plan) {
    if (context_.json) {
      console_.Print(Json().Set("not_run", NotRunJson(plan.not_run)).Line());
      return;
    }
    if (!plan.not_run.empty() || plan.workloads_left_out > 0) {
      console_.Print("");
    }
    if (!plan.not_run.empty()) {
      console_.Print(NotRunText(plan.not_run, console_.width()));
    }
    if (plan.workloads_left_out > 0) {
      console_.Print(absl::StrCat("left out, for other devices: ",
                                  Count(plan.workloads_left_out, "workload")));
    }
  }

  absl::Status PrintBoards(const Plan& plan) {
    std::set<std::string> definitions;
    for (const PlannedSubmission& submission : plan.submissions) {
      definitions.insert(submission.solution->definition());
    }
    bool explained = false;
    for (const std::string& definition : definitions) {
      const absl::StatusOr<v1::Leaderboard> board =
          client().GetLeaderboard(definition, stack_->device().model());
      // The definition itself may have been refused.
      if (board.status().code() == absl::StatusCode::kNotFound) continue;
      if (!board.ok()) return board.status();
      if (context_.json) {
        console_.Print(Json().Set("leaderboard", Json(*board)).Line());
      } else if (!board->entries().empty()) {
        if (!explained) console_.Print(absl::StrCat("\n", kBoardLegend));
        explained = true;
        console_.Print(absl::StrCat("\n", BoardText(*board, console_.width())));
      }
    }
    if (!context_.json) console_.Print("");
    return absl::OkStatus();
  }

  absl::Status Export() {
    if (flags_.output.empty()) {
      SayHowToKeepLogs();
      return absl::OkStatus();
    }
    ExportOptions options;
    options.on_progress = [this](absl::string_view what) {
      console_.SetProgress(what);
    };
    ASSAY_ASSIGN_OR_RETURN(const ExportReport report,
                           ExportTraceSet(client(), flags_.output, options));
    console_.ClearProgress();
    console_.Note(absl::StrCat("wrote ", Count(report.traces, "trace"), " to ",
                               flags_.output));
    ReportLeftOut(console_, report);
    return absl::OkStatus();
  }

  void SayHowToKeepLogs() {
    const bool all_passed =
        ExitCodeFor(tally_.outcomes()) == ExitCode::kOk ||
        ExitCodeFor(tally_.outcomes()) == ExitCode::kNothingRun;
    if (all_passed || flags_.logs || context_.json) return;
    console_.Note(
        "to see the whole logs add --logs; to keep them, --output DIR");
  }

  Client& client() { return stack_->client(); }

  const Flags& flags_;
  CommandContext& context_;
  Console& console_;
  TraceSet set_;
  std::optional<EvaluationSource> evaluation_;
  std::unique_ptr<LocalStack> stack_;
  SubmitReport submitted_;
  Tally tally_;
  // Files and items that had to be left out.
  int64_t refused_ = 0;
};

}  // namespace

void AddRunCommand(Command root, CommandContext& context) {
  const auto flags = std::make_shared<Flags>();
  Command command = root.AddCommand(
      "run",
      "Evaluate a trace set here, with a coordinator and a worker of its own");
  command.RequiredText("--local", flags->trace_set,
                       {"Folder of the trace set", "DIR"});
  command.Switch("--logs", flags->logs,
                 "Print the whole log of each evaluation that failed");
  command.Text("--output", flags->output,
               {"Write everything to this new folder, as a trace set", "DIR"});
  command.Text("--store", flags->stack.store,
               {"Database to use and keep (default: a temporary one)", "FILE"});
  AddLocalStackFlags(command, flags->stack);
  flags->selection.AddTo(command);
  flags->evaluation.AddWithFileTo(command);
  FinishLocalCommand(command, context, [flags](CommandContext& invoked) {
    return Run(*flags, invoked).Execute();
  });
}

}  // namespace assay
