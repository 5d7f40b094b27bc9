#include "client/cli/app.h"

#include "absl/status/status.h"
#include "base/version.h"
#include "client/cli/admin_command.h"
#include "client/cli/cancel_command.h"
#include "client/cli/command.h"
#include "client/cli/command_line.h"
#include "client/cli/definitions_command.h"
#include "client/cli/exit_code.h"
#include "client/cli/export_command.h"
#include "client/cli/import_command.h"
#include "client/cli/info_command.h"
#include "client/cli/json_output.h"
#include "client/cli/leaderboard_command.h"
#include "client/cli/lint_command.h"
#include "client/cli/report_command.h"
#include "client/cli/run_command.h"
#include "client/cli/solution_command.h"
#include "client/cli/solutions_command.h"
#include "client/cli/submissions_command.h"
#include "client/cli/submit_command.h"
#include "client/cli/tokens_command.h"
#include "client/cli/traces_command.h"
#include "client/cli/validate_command.h"
#include "client/cli/watch_command.h"
#include "client/cli/workers_command.h"
#include "client/cli/workloads_command.h"

namespace assay {
namespace {

void AddCommands(Command root, CommandContext& context) {
  AddRunCommand(root, context);
  AddSubmitCommand(root, context);
  AddWatchCommand(root, context);
  AddCancelCommand(root, context);
  AddLeaderboardCommand(root, context);
  AddDefinitionsCommand(root, context);
  AddSolutionsCommand(root, context);
  AddWorkloadsCommand(root, context);
  AddTracesCommand(root, context);
  AddSubmissionsCommand(root, context);
  AddWorkersCommand(root, context);
  AddTokensCommand(root, context);
  AddValidateCommand(root, context);
  AddReportCommand(root, context);
  AddLintCommand(root, context);
  AddSolutionCommand(root, context);
  AddImportCommand(root, context);
  AddExportCommand(root, context);
  AddAdminCommand(root, context);
  AddInfoCommands(root, context);
}

int Fail(const absl::Status& error, ExitCode code, CommandContext& context) {
  context.console.ClearProgress();
  context.console.Error(std::string(error.message()));
  if (context.json) {
    Json details;
    details.Set("code", absl::StatusCodeToString(error.code()))
        .Set("message", std::string(error.message()));
    context.console.Print(Json().Set("error", details).Line());
  }
  return static_cast<int>(code);
}

}  // namespace

int RunApp(const std::vector<std::string>& arguments, Console& console,
           Cancellation& cancellation) {
  CommandContext context(console, cancellation);
  CommandLine line("assay",
                   "Benchmarks GPU kernels: submit a solution, get its "
                   "evaluations, see it on the board.",
                   kVersion, kExitCodeHelp);
  AddCommands(line.root(), context);
  const ParseResult parsed = line.Parse(arguments);
  switch (parsed.kind) {
    case ParseResult::kAnswered:
      console.out() << parsed.text;
      return static_cast<int>(ExitCode::kOk);
    case ParseResult::kWrong:
      return Fail(absl::InvalidArgumentError(parsed.text), ExitCode::kUsage,
                  context);
    case ParseResult::kChosen:
      break;
  }
  const absl::StatusOr<ExitCode> code = context.action();
  if (!code.ok()) {
    absl::Status status = code.status();
    // However the call that was under way puts it.
    if (absl::IsCancelled(status) && cancellation.cancelled()) {
      status = absl::CancelledError("interrupted");
    }
    return Fail(status, ExitCodeFor(status), context);
  }
  console.ClearProgress();
  return static_cast<int>(*code);
}

}  // namespace assay
