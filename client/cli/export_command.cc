#include "client/cli/export_command.h"

#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "client/cli/export_text.h"
#include "client/cli/text.h"
#include "client/export.h"

namespace assay {
namespace {

struct Flags {
  std::string root;
  std::vector<std::string> definitions;
};

absl::StatusOr<ExitCode> Export(const Flags& flags, CommandContext& context) {
  ASSAY_ASSIGN_OR_RETURN(const auto client, context.Connect());
  ExportOptions options;
  options.definitions = flags.definitions;
  options.on_progress = [&context](absl::string_view what) {
    context.console.SetProgress(what);
  };
  const absl::StatusOr<ExportReport> report =
      ExportTraceSet(*client, flags.root, options);
  context.console.ClearProgress();
  if (!report.ok()) return report.status();
  ReportLeftOut(context.console, *report);
  if (context.json) {
    context.PrintJson(
        Json()
            .Set("definitions", report->definitions)
            .Set("solutions", report->solutions)
            .Set("workloads", report->workloads)
            .Set("traces", report->traces)
            .Set("blobs", report->blobs)
            .Set("traces_of_other_revisions", report->traces_of_other_revisions)
            .Set("blobs_missing", report->blobs_missing));
  } else {
    context.console.Print(
        absl::StrCat("exported ", Count(report->definitions, "definition"),
                     ", ", Count(report->solutions, "solution"), ", ",
                     Count(report->workloads, "workload"), ", ",
                     Count(report->traces, "trace"), " and ",
                     Count(report->blobs, "blob"), " to ", flags.root));
  }
  return ExitCode::kOk;
}

}  // namespace

void AddExportCommand(Command root, CommandContext& context) {
  const auto flags = std::make_shared<Flags>();
  Command command = root.AddCommand(
      "export", "Write what the coordinator stores to a new trace set");
  command.Required("folder", flags->root, "Folder to create");
  command.List("--definitions", flags->definitions,
               {"Only these definitions and what belongs to them", "NAME"});
  FinishCommand(command, context, [flags](CommandContext& invoked) {
    return Export(*flags, invoked);
  });
}

}  // namespace assay
