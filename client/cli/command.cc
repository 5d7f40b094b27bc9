#include "client/cli/command.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"

namespace assay {

absl::StatusOr<std::unique_ptr<Client>> CommandContext::Connect() {
  Client::Options options;
  ASSAY_ASSIGN_OR_RETURN(options.address, ResolveServerAddress(server));
  ASSAY_ASSIGN_OR_RETURN(options.security, ResolveChannelSecurity(security));
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
  constexpr char kGroup[] = "Tokens and encryption";
  command.Text("--token-file", context.security.token_file,
               {"File with the token to send, for its owner alone to read "
                "(default: $ASSAY_TOKEN, $ASSAY_TOKEN_FILE or "
                "~/.config/assay/token)",
                "FILE", kGroup});
  command.Text("--tls-ca", context.security.tls_ca,
               {"Encrypt, and trust the authorities in the PEM file, or the "
                "machine's: system (default: $ASSAY_TLS_CA, else none)",
                "FILE", kGroup});
  command.Text("--tls-cert", context.security.tls_cert,
               {"Own certificate, where the coordinator asks for one (default: "
                "$ASSAY_TLS_CERT)",
                "FILE", kGroup});
  command.Text("--tls-key", context.security.tls_key,
               {"Its key (default: $ASSAY_TLS_KEY)", "FILE", kGroup});
  FinishLocalCommand(command, context, std::move(action));
}

}  // namespace assay
