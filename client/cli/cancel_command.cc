#include "client/cli/cancel_command.h"

#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "client/cli/text.h"

namespace assay {
namespace {

absl::StatusOr<ExitCode> Cancel(const std::vector<std::string>& ids,
                                CommandContext& context) {
  ASSAY_ASSIGN_OR_RETURN(const auto client, context.Connect());
  std::vector<v1::Submission> submissions;
  for (const std::string& id : ids) {
    ASSAY_ASSIGN_OR_RETURN(submissions.emplace_back(),
                           client->CancelSubmission(id));
    if (context.json) continue;
    const v1::Submission& submission = submissions.back();
    context.console.Print(absl::StrCat(
        "cancelled ", id, ": ", Count(submission.cancelled(), "job"),
        " cancelled, ", submission.completed() + submission.failed(),
        " had ended"));
  }
  if (context.json) {
    context.PrintJson(Json().Set("submissions", JsonArray(submissions)));
  }
  return ExitCode::kOk;
}

}  // namespace

void AddCancelCommand(Command root, CommandContext& context) {
  const auto ids = std::make_shared<std::vector<std::string>>();
  Command command = root.AddCommand(
      "cancel", "Cancel what is left of submissions; results stay");
  command.Required("id", *ids, "Ids of submissions");
  FinishCommand(command, context, [ids](CommandContext& invoked) {
    return Cancel(*ids, invoked);
  });
}

}  // namespace assay
