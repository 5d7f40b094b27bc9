#include "client/cli/import_command.h"

#include <memory>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "client/cli/import_text.h"
#include "client/cli/selection.h"
#include "client/cli/text.h"
#include "client/cli/units.h"
#include "client/import.h"

namespace assay {
namespace {

struct Flags {
  std::string root;
  Selection selection;
};

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
    context.PrintJson(Json()
                          .Set("import", Json(report->response))
                          .Set("blobs_uploaded", report->blobs_uploaded)
                          .Set("bytes_uploaded", report->bytes_uploaded)
                          .Set("unreadable", unreadable));
  } else {
    context.console.Print(Text(*report));
  }
  return unreadable + report->response.rejected() > 0 ? ExitCode::kInvalidInput
                                                      : ExitCode::kOk;
}

}  // namespace

void AddImportCommand(Command root, CommandContext& context) {
  const auto flags = std::make_shared<Flags>();
  Command command =
      root.AddCommand("import", "Store a trace set in the coordinator");
  command.Required("folder", flags->root, "Folder of the trace set");
  flags->selection.AddTo(command);
  FinishCommand(command, context, [flags](CommandContext& invoked) {
    return Import(*flags, invoked);
  });
}

}  // namespace assay
