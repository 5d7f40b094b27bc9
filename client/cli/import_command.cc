#include "client/cli/import_command.h"

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "client/cli/import_text.h"
#include "client/cli/lint_text.h"
#include "client/cli/local_lint.h"
#include "client/cli/local_stack_flags.h"
#include "client/cli/selection.h"
#include "client/cli/text.h"
#include "client/cli/units.h"
#include "client/import.h"

namespace assay {
namespace {

struct Flags {
  std::string root;
  // "report" or "strict"; empty: no lint.
  std::string lint;
  Selection selection;
  LocalStack::Options stack;
};

// Takes the definition and all that belongs to it out of the set.
void Drop(const std::string& definition, TraceSet& set) {
  const auto drop = [](auto& items, const auto& is_of_it) {
    items.erase(
        std::remove_if(items.begin(), items.end(),
                       [&](const auto& item) { return is_of_it(item.value); }),
        items.end());
  };
  const auto belongs = [&](const auto& value) {
    return value.definition() == definition;
  };
  drop(set.definitions,
       [&](const auto& value) { return value.name() == definition; });
  drop(set.solutions, belongs);
  drop(set.workloads, belongs);
  drop(set.traces, belongs);
}

// Reports weak definitions, and drops them in the strict mode, as well as those
// that were not judged. Sets how many were dropped.
absl::StatusOr<LintReport> LintSet(const Flags& flags, CommandContext& context,
                                   TraceSet& set, int64_t& dropped) {
  LintOptions options;
  options.config = LintConfig(EvaluationFlags());
  ASSAY_ASSIGN_OR_RETURN(LintReport report,
                         LintHere(context, set, flags.stack, options));
  const bool strict = flags.lint == "strict";
  std::map<std::string, std::string> faults;
  for (const std::string& name : report.UnjudgedDefinitions()) {
    faults[name] = "lint could not judge it, see assay lint";
  }
  for (const std::string& name : report.WeakDefinitions()) {
    faults[name] = WeaknessText(report, name);
  }
  for (const auto& [name, fault] : faults) {
    context.console.Note(Printable(
        absl::StrCat(strict ? "refused: " : "warning: ", "definition \"", name,
                     "\": ", fault)));
    if (!strict) continue;
    Drop(name, set);
    ++dropped;
  }
  return report;
}

std::string Text(const ImportReport& report) {
  const v1::ImportTraceSetResponse& response = report.response;
  std::string text = absl::StrCat(
      "imported ", Count(response.definitions_created(), "definition"), ", ",
      Count(response.workloads_created(), "workload"), ", ",
      Count(response.solutions_created(), "solution"), ", ",
      Count(response.traces_created(), "trace"), "; ", response.unchanged(),
      " stored already");
  if (report.blobs_uploaded > 0) {
    absl::StrAppend(&text, "; uploaded ", Count(report.blobs_uploaded, "blob"),
                    " (", FormatBytes(report.bytes_uploaded), ")");
  }
  if (response.rejected() > 0) {
    absl::StrAppend(&text, "; ", response.rejected(), " refused");
  }
  return text;
}

absl::StatusOr<ExitCode> Import(const Flags& flags, CommandContext& context) {
  ASSAY_ASSIGN_OR_RETURN(TraceSet set, ReadTraceSet(flags.root));
  const int64_t unreadable = ReportUnreadable(context, set);
  ASSAY_RETURN_IF_ERROR(ApplySelection(flags.selection, set));
  LintReport lint;
  int64_t dropped = 0;
  if (!flags.lint.empty()) {
    ASSAY_ASSIGN_OR_RETURN(lint, LintSet(flags, context, set, dropped));
  }
  ASSAY_ASSIGN_OR_RETURN(const auto client, context.Connect());
  ImportOptions options;
  options.on_progress = [&context](absl::string_view what) {
    context.console.SetProgress(what);
  };
  const absl::StatusOr<ImportReport> report =
      ImportTraceSet(*client, std::move(set), options);
  context.console.ClearProgress();
  if (!report.ok()) return report.status();
  ReportRejections(context, report->response);
  if (context.json) {
    Json document;
    document.Set("import", Json(report->response))
        .Set("blobs_uploaded", report->blobs_uploaded)
        .Set("bytes_uploaded", report->bytes_uploaded)
        .Set("unreadable", unreadable);
    if (!flags.lint.empty()) {
      document.Set("lint", LintJson(lint))
          .Set("definitions_refused_by_lint", dropped);
    }
    context.PrintJson(document);
  } else {
    context.console.Print(Text(*report));
  }
  return unreadable + report->response.rejected() + dropped > 0
             ? ExitCode::kInvalidInput
             : ExitCode::kOk;
}

}  // namespace

void AddImportCommand(Command root, CommandContext& context) {
  const auto flags = std::make_shared<Flags>();
  Command command =
      root.AddCommand("import", "Store a trace set in the coordinator");
  command.Required("folder", flags->root, "Folder of the trace set");
  command.Choice("--lint", flags->lint, {"report", "strict"},
                 "Lint the definitions here first: report weak ones, or leave "
                 "them out (strict)");
  flags->selection.AddTo(command);
  AddLocalStackFlags(command, flags->stack);
  FinishCommand(command, context, [flags](CommandContext& invoked) {
    return Import(*flags, invoked);
  });
}

}  // namespace assay
