// Watches submissions on the console: what `watch`, `submit --watch` and `run`
// have in common.

#ifndef ASSAY_CLIENT_CLI_FOLLOW_H_
#define ASSAY_CLIENT_CLI_FOLLOW_H_

#include <set>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "client/cli/command.h"
#include "client/cli/reporter.h"
#include "client/cli/tally.h"
#include "client/client.h"

namespace assay {

// Shows the events of the submissions until their last job has ended, and
// counts them in `tally`, also when it ends with an error. Text or JSON lines,
// as the flags ask.
absl::Status FollowSubmissions(CommandContext& context, Client& client,
                               const std::vector<std::string>& ids,
                               TextReporterOptions options, Tally& tally);

// The labels of all workloads of the definitions.
absl::StatusOr<Labels> LoadLabels(Client& client,
                                  const std::set<std::string>& definitions);

// The counts as one line, text or {"summary": {...}}. `code` is what the
// command is about to end with.
void PrintSummary(CommandContext& context, const Tally& tally,
                  absl::Duration elapsed, ExitCode code);

}  // namespace assay

#endif  // ASSAY_CLIENT_CLI_FOLLOW_H_
