#include "client/cli/info_command.h"

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "base/version.h"
#include "client/cli/fields.h"
#include "client/cli/units.h"

namespace assay {
namespace {

absl::StatusOr<ExitCode> ShowVersion(CommandContext& context) {
  if (context.json) {
    context.PrintJson(Json().Set("version", kVersion));
  } else {
    context.console.Print(absl::StrCat("assay ", kVersion));
  }
  return ExitCode::kOk;
}

absl::StatusOr<ExitCode> ShowServer(CommandContext& context) {
  ASSAY_ASSIGN_OR_RETURN(const auto client, context.Connect());
  const v1::ServerInfo& info = client->server_info();
  if (context.json) {
    context.PrintJson(Json()
                          .Set("address", client->address())
                          .Set("client_version", kVersion)
                          .Set("server", Json(info)));
    return ExitCode::kOk;
  }
  Fields fields;
  fields.Add("coordinator", client->address())
      .Add("version", info.version())
      .Add("API", info.api())
      .Add("store version", absl::StrCat(info.store_version()))
      .Add("largest message", FormatBytes(info.max_message_bytes()))
      .Add("largest sources", FormatBytes(info.max_sources_bytes()))
      .Add("instance", info.instance_id())
      .Add("this program", absl::StrCat("assay ", kVersion));
  context.console.Print(fields.Render());
  return ExitCode::kOk;
}

}  // namespace

void AddInfoCommands(Command root, CommandContext& context) {
  Command info =
      root.AddCommand("info", "Show the coordinator's version and limits");
  FinishCommand(info, context, ShowServer);
  Command version =
      root.AddCommand("version", "Show the version of this program");
  FinishLocalCommand(version, context, ShowVersion);
}

}  // namespace assay
