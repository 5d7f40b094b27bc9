#include "client/cli/watch_command.h"

#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "base/status_macros.h"
#include "client/cli/follow.h"

namespace assay {
namespace {

// Those named, else all that have not ended.
absl::StatusOr<std::vector<v1::Submission>> Find(
    Client& client, const std::vector<std::string>& ids) {
  if (ids.empty()) {
    v1::ListSubmissionsRequest filter;
    filter.set_active_only(true);
    return client.ListSubmissions(filter).Collect();
  }
  std::vector<v1::Submission> submissions;
  for (const std::string& id : ids) {
    ASSAY_ASSIGN_OR_RETURN(submissions.emplace_back(),
                           client.GetSubmission(id));
  }
  return submissions;
}

absl::StatusOr<ExitCode> Watch(const std::vector<std::string>& named,
                               CommandContext& context) {
  const absl::Time start = absl::Now();
  ASSAY_ASSIGN_OR_RETURN(const auto client, context.Connect());
  ASSAY_ASSIGN_OR_RETURN(const std::vector<v1::Submission> submissions,
                         Find(*client, named));
  if (submissions.empty()) {
    context.console.Note("every submission has ended");
    if (context.json) {
      PrintSummary(context, Tally(), absl::Now() - start, ExitCode::kOk);
    }
    return ExitCode::kOk;
  }
  std::vector<std::string> ids;
  std::set<std::string> definitions;
  for (const v1::Submission& submission : submissions) {
    ids.push_back(submission.id());
    definitions.insert(submission.definition());
  }
  TextReporterOptions options;
  ASSAY_ASSIGN_OR_RETURN(options.labels, LoadLabels(*client, definitions));
  options.log_command = [&context](const std::string& trace_id) {
    return context.CommandLine(absl::StrCat("traces get ", trace_id));
  };
  Tally tally;
  ASSAY_RETURN_IF_ERROR(
      FollowSubmissions(context, *client, ids, std::move(options), tally));
  const ExitCode code = ExitCodeFor(tally.outcomes());
  PrintSummary(context, tally, absl::Now() - start, code);
  return code;
}

}  // namespace

void AddWatchCommand(Command root, CommandContext& context) {
  const auto ids = std::make_shared<std::vector<std::string>>();
  Command command = root.AddCommand(
      "watch", "Show a submission's evaluations as they arrive");
  command.Optional("id", *ids,
                   "Ids of submissions (default: all that have not ended)");
  FinishCommand(command, context, [ids](CommandContext& invoked) {
    return Watch(*ids, invoked);
  });
}

}  // namespace assay
