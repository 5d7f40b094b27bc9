// What the commands share. A command lives in a file of its own, which offers
// one function that adds it to the parser; parsing leaves an action behind.

#ifndef ASSAY_CLIENT_CLI_COMMAND_H_
#define ASSAY_CLIENT_CLI_COMMAND_H_

#include <functional>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "base/channel_security.h"
#include "client/cancellation.h"
#include "client/cli/command_line.h"
#include "client/cli/console.h"
#include "client/cli/exit_code.h"
#include "client/cli/json_output.h"
#include "client/client.h"

namespace assay {

// Thread-compatible.
struct CommandContext {
  CommandContext(Console& console, Cancellation& cancellation)
      : console(console), cancellation(cancellation) {}

  // Connects to the coordinator that the flags name.
  absl::StatusOr<std::unique_ptr<Client>> Connect();

  // A command line that repeats the flags, for messages: "assay watch sub-1".
  std::string CommandLine(absl::string_view rest) const;

  // Prints a document as it is.
  void PrintJson(const Json& document) { console.Print(document.Indented()); }

  Console& console;
  Cancellation& cancellation;

  // Flags that every command has.
  std::string server;
  SecurityFlags security;
  bool json = false;

  // What the parsed command line asks for.
  std::function<absl::StatusOr<ExitCode>()> action;
};

using CommandAction = std::function<absl::StatusOr<ExitCode>(CommandContext&)>;

// Adds `--json`, and runs `action` when the command is the one chosen.
void FinishLocalCommand(Command command, CommandContext& context,
                        CommandAction action);
// The same for a command that talks to a coordinator: adds `--server`, and the
// flags for tokens and encryption.
void FinishCommand(Command command, CommandContext& context,
                   CommandAction action);

}  // namespace assay

#endif  // ASSAY_CLIENT_CLI_COMMAND_H_
