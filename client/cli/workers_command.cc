#include "client/cli/workers_command.h"

#include <memory>
#include <string>
#include <vector>

#include "base/status_macros.h"
#include "client/cli/listing.h"
#include "client/cli/units.h"
#include "client/cli/worker_text.h"

namespace assay {
namespace {

absl::StatusOr<ExitCode> List(const LimitFlag& limit, CommandContext& context) {
  ASSAY_ASSIGN_OR_RETURN(const auto client, context.Connect());
  return PrintList<v1::WorkerRecord>(
      context, client->ListWorkers(), limit, "workers",
      Table({{"id"},
             {"state"},
             {"device"},
             {"model", Table::kLeft, true},
             {"architecture"},
             {"memory", Table::kRight},
             {"last seen (UTC)"},
             {"note", Table::kLeft, true}}),
      [](const v1::WorkerRecord& record) -> std::vector<std::string> {
        const v1::Device& device = record.device();
        return {record.worker_id(),
                WorkerStateWord(record.state()),
                device.kind(),
                device.model(),
                device.architecture(),
                FormatBytes(device.memory_bytes()),
                FormatTime(record.last_seen_time_us()),
                record.unwell_reason()};
      });
}

absl::StatusOr<ExitCode> Get(const std::string& id, CommandContext& context) {
  ASSAY_ASSIGN_OR_RETURN(const auto client, context.Connect());
  ASSAY_ASSIGN_OR_RETURN(const v1::WorkerRecord record, client->GetWorker(id));
  if (context.json) {
    context.PrintJson(Json(record));
    return ExitCode::kOk;
  }
  context.console.Print(WorkerText(record));
  return ExitCode::kOk;
}

}  // namespace

void AddWorkersCommand(Command root, CommandContext& context) {
  Command group = root.AddGroup("workers", "Show workers");

  const auto limit = std::make_shared<LimitFlag>();
  Command list = group.AddCommand("list", "List them by id");
  limit->AddTo(list);
  FinishCommand(list, context, [limit](CommandContext& invoked) {
    return List(*limit, invoked);
  });

  const auto id = std::make_shared<std::string>();
  Command get = group.AddCommand("get", "Show one");
  get.Required("id", *id, "Its id");
  FinishCommand(get, context,
                [id](CommandContext& invoked) { return Get(*id, invoked); });
}

}  // namespace assay
