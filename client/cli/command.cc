#include "client/cli/command.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"

namespace assay {

absl::StatusOr<std::unique_ptr<Client>> CommandContext::Connect() {
  Client::Options options;
  ASSAY_ASSIGN_OR_RETURN(options.address, ResolveServerAddress(server));
  options.cancellation = &cancellation;
  return Client::Connect(std::move(options));
}

std::string CommandContext::CommandLine(absl::string_view rest) const {
  return absl::StrCat("assay ", rest,
                      server.empty() ? "" : absl::StrCat(" --server ", server));
}

void FinishLocalCommand(Command command, CommandContext& context,
                        CommandAction action) {
  command.Switch("--json", context.json,
                 "Print JSON, in the form that docs/cli.md describes");
  command.OnChosen([&context, action = std::move(action)] {
    context.action = [&context, action] { return action(context); };
  });
}

void FinishCommand(Command command, CommandContext& context,
                   CommandAction action) {
  command.Text("--server", context.server,
               {"Coordinator, as HOST:PORT or unix:/PATH (default: "
                "$ASSAY_SERVER, else 127.0.0.1:50051)",
                "ADDRESS"});
  FinishLocalCommand(command, context, std::move(action));
}

}  // namespace assay
