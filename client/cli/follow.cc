#include "client/cli/follow.h"

#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "client/cli/evaluation_text.h"
#include "client/cli/units.h"
#include "client/watch.h"

namespace assay {

absl::Status FollowSubmissions(CommandContext& context, Client& client,
                               const std::vector<std::string>& ids,
                               TextReporterOptions options, Tally& tally) {
  Console& console = context.console;
  const std::unique_ptr<Reporter> reporter =
      context.json ? MakeJsonReporter(console)
                   : MakeTextReporter(console, std::move(options));
  WatchOptions watch_options;
  watch_options.on_reconnect = [&console](const absl::Status& why) {
    console.Note(absl::StrCat("connection lost, trying again: ",
                              std::string(why.message())));
  };
  absl::Status status = WatchSubmissions(client, ids, watch_options,
                                         [&](const v1::SubmissionEvent& event) {
                                           tally.Add(event);
                                           reporter->Show(event, tally);
                                           // Nobody reads the results any more,
                                           // as after `| head`.
                                           if (console.broken())
                                             context.cancellation.Cancel();
                                         });
  console.ClearProgress();
  return status;
}

absl::StatusOr<Labels> LoadLabels(Client& client,
                                  const std::set<std::string>& definitions) {
  Labels labels;
  for (const std::string& definition : definitions) {
    v1::ListWorkloadsRequest filter;
    filter.set_definition(definition);
    ASSAY_RETURN_IF_ERROR(client.ListWorkloads(filter).ForEach(
        [&](const v1::WorkloadRecord& record) {
          labels.AddWorkload(record.workload());
          return true;
        }));
  }
  return labels;
}

void PrintSummary(CommandContext& context, const Tally& tally,
                  absl::Duration elapsed, ExitCode code) {
  if (!context.json) {
    context.console.Print(
        absl::StrCat(tally.Summary(), " in ", FormatElapsed(elapsed)));
    return;
  }
  Json evaluations;
  for (const auto& [status, count] : tally.outcomes().by_status) {
    evaluations.Set(StatusWord(status), count);
  }
  Json summary;
  summary.Set("evaluations", evaluations)
      .Set("jobs_failed", tally.outcomes().failed)
      .Set("jobs_cancelled", tally.outcomes().cancelled)
      .Set("held", tally.held())
      .Set("elapsed_s", absl::ToDoubleSeconds(elapsed))
      .Set("exit_code", static_cast<int>(code));
  context.console.Print(Json().Set("summary", summary).Line());
}

}  // namespace assay
