#include "client/cli/lint_command.h"

#include <filesystem>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "client/cli/evaluation_flags.h"
#include "client/cli/import_text.h"
#include "client/cli/lint_text.h"
#include "client/cli/listing.h"
#include "client/cli/local_lint.h"
#include "client/cli/local_stack_flags.h"
#include "client/cli/selection.h"

namespace assay {
namespace {

struct Flags {
  std::vector<std::string> what;
  bool strict = false;
  std::optional<int> workloads;
  Selection selection;
  EvaluationFlags evaluation;
  LocalStack::Options stack;
};

bool IsFolder(const std::string& what) {
  std::error_code error;
  return std::filesystem::is_directory(what, error);
}

LintOptions OptionsOf(const Flags& flags) {
  LintOptions options;
  options.config = LintConfig(flags.evaluation);
  if (flags.workloads.has_value()) options.workloads = *flags.workloads;
  return options;
}

absl::StatusOr<LintReport> LintFolder(const Flags& flags,
                                      CommandContext& context) {
  if (flags.what.size() > 1) {
    return absl::InvalidArgumentError(
        absl::StrCat("\"", flags.what[0],
                     "\" is a folder: name it alone, and choose from it with "
                     "--definitions or --op-type"));
  }
  ASSAY_ASSIGN_OR_RETURN(TraceSet set, ReadTraceSet(flags.what[0]));
  ReportUnreadable(context, set);
  ASSAY_RETURN_IF_ERROR(ApplySelection(flags.selection, set));
  return LintHere(context, set, flags.stack, OptionsOf(flags));
}

absl::StatusOr<LintReport> LintStored(const Flags& flags,
                                      CommandContext& context) {
  ASSAY_ASSIGN_OR_RETURN(const auto client, context.Connect());
  std::vector<LintSubject> subjects;
  for (const std::string& name : flags.what) {
    const auto record = client->GetDefinition(name);
    if (!record.ok()) return SuggestDefinitions(record.status(), *client, name);
    LintSubject& subject = subjects.emplace_back();
    subject.definition = record->definition();
    v1::ListWorkloadsRequest filter;
    filter.set_definition(name);
    ASSAY_RETURN_IF_ERROR(client->ListWorkloads(filter).ForEach(
        [&subject](const v1::WorkloadRecord& workload) {
          subject.workloads.push_back(workload.workload());
          return true;
        }));
  }
  LintOptions options = OptionsOf(flags);
  options.on_progress = [&context](absl::string_view what) {
    context.console.SetProgress(absl::StrCat("lint: ", what));
  };
  absl::StatusOr<LintReport> report =
      LintDefinitions(*client, subjects, options);
  context.console.ClearProgress();
  return report;
}

// Strict takes nothing on trust: what was not judged may be weak.
ExitCode Verdict(const LintReport& report, bool strict) {
  if (report.results.empty()) return ExitCode::kNothingRun;
  const bool sound = report.WeakDefinitions().empty() &&
                     report.UnjudgedDefinitions().empty() &&
                     report.storable.empty();
  return strict && !sound ? ExitCode::kInvalidInput : ExitCode::kOk;
}

absl::StatusOr<ExitCode> Lint(const Flags& flags, CommandContext& context) {
  ASSAY_ASSIGN_OR_RETURN(const LintReport report,
                         IsFolder(flags.what[0]) ? LintFolder(flags, context)
                                                 : LintStored(flags, context));
  if (context.json) {
    context.PrintJson(LintJson(report));
  } else {
    context.console.Print(LintText(report, context.console.width()));
  }
  return Verdict(report, flags.strict);
}

}  // namespace

void AddLintCommand(Command root, CommandContext& context) {
  const auto flags = std::make_shared<Flags>();
  Command command = root.AddCommand(
      "lint", "Find definitions whose tolerance lets wrong answers pass");
  command.Required("what", flags->what,
                   "Folder of a trace set, linted here, or names of stored "
                   "definitions");
  command.Switch(
      "--strict", flags->strict,
      "Exit code 65 when a definition is weak, was not judged, or has "
      "answers that can be stored");
  command.Number("--workloads", flags->workloads, 1,
                 std::numeric_limits<int>::max(),
                 {"At most so many of each definition (default: 3)", "N"});
  flags->selection.AddTo(command);
  flags->evaluation.AddTo(command);
  AddLocalStackFlags(command, flags->stack);
  FinishCommand(command, context, [flags](CommandContext& invoked) {
    return Lint(*flags, invoked);
  });
}

}  // namespace assay
