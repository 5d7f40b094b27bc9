#include "client/cli/admin_command.h"

#include <memory>
#include <string>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "client/back_up.h"
#include "client/cli/text.h"
#include "client/cli/units.h"

namespace assay {
namespace {

absl::StatusOr<ExitCode> Backup(const std::string& folder,
                                CommandContext& context) {
  ASSAY_ASSIGN_OR_RETURN(const auto client, context.Connect());
  BackUpOptions options;
  options.on_progress = [&context](absl::string_view what) {
    context.console.SetProgress(what);
  };
  const absl::StatusOr<BackUpReport> report = BackUp(*client, folder, options);
  context.console.ClearProgress();
  if (!report.ok()) return report.status();
  if (context.json) {
    context.PrintJson(Json()
                          .Set("folder", folder)
                          .Set("database_bytes", report->database_bytes)
                          .Set("store_version", report->store_version)
                          .Set("blobs", report->blobs)
                          .Set("new_blobs", report->new_blobs)
                          .Set("new_blob_bytes", report->new_blob_bytes));
    return ExitCode::kOk;
  }
  context.console.Print(absl::StrCat(
      "backed up to ", folder, ": a database of ",
      FormatBytes(report->database_bytes), " and ",
      Count(report->blobs, "blob"), ", ", report->new_blobs, " of them new (",
      FormatBytes(report->new_blob_bytes), ")\nstart from it with: ",
      "assay-coordinator --store ", folder, "/assay.db"));
  return ExitCode::kOk;
}

}  // namespace

void AddAdminCommand(Command root, CommandContext& context) {
  Command group = root.AddGroup("admin", "Look after the coordinator");

  const auto folder = std::make_shared<std::string>();
  Command backup = group.AddCommand(
      "backup",
      "Copy the coordinator's store to a folder of this machine, while it goes "
      "on working; a folder with an older backup is brought up to date");
  backup.Required("folder", *folder, "Folder to write to");
  FinishCommand(backup, context, [folder](CommandContext& invoked) {
    return Backup(*folder, invoked);
  });
}

}  // namespace assay
