#include "client/cli/workers_command.h"

#include <functional>
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
                record.hold_reason().empty() ? record.unwell_reason()
                                             : record.hold_reason()};
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

using Verb = std::function<absl::StatusOr<v1::WorkerRecord>(
    Client&, const std::string& id, const std::string& reason)>;

absl::StatusOr<ExitCode> Decide(const Verb& verb, const std::string& id,
                                const std::string& reason,
                                CommandContext& context) {
  ASSAY_ASSIGN_OR_RETURN(const auto client, context.Connect());
  ASSAY_ASSIGN_OR_RETURN(const v1::WorkerRecord record,
                         verb(*client, id, reason));
  if (context.json) {
    context.PrintJson(Json(record));
    return ExitCode::kOk;
  }
  context.console.Print(WorkerText(record));
  return ExitCode::kOk;
}

// A command that changes whether a worker gets jobs.
void AddVerb(Command group, CommandContext& context, const char* name,
             const char* description, bool with_reason, Verb verb) {
  const auto id = std::make_shared<std::string>();
  const auto reason = std::make_shared<std::string>();
  Command command = group.AddCommand(name, description);
  command.Required("id", *id, "Its id");
  if (with_reason) {
    command.Text("--reason", *reason, "Why; shown wherever the worker is");
  }
  FinishCommand(command, context,
                [id, reason, verb = std::move(verb)](CommandContext& invoked) {
                  return Decide(verb, *id, *reason, invoked);
                });
}

}  // namespace

void AddWorkersCommand(Command root, CommandContext& context) {
  Command group =
      root.AddGroup("workers", "Show workers, give them work or not");

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

  AddVerb(
      group, context, "drain",
      "Give it no more jobs: it finishes those at hand", true,
      [](Client& client, const std::string& worker, const std::string& reason) {
        return client.DrainWorker(worker, reason);
      });
  AddVerb(group, context, "undrain", "Give it jobs again", false,
          [](Client& client, const std::string& worker, const std::string&) {
            return client.UndrainWorker(worker);
          });
  AddVerb(
      group, context, "quarantine",
      "Take its jobs away at once, and give it no more", true,
      [](Client& client, const std::string& worker, const std::string& reason) {
        return client.QuarantineWorker(worker, reason);
      });
  AddVerb(group, context, "release",
          "Give jobs again to one that was quarantined", false,
          [](Client& client, const std::string& worker, const std::string&) {
            return client.ReleaseWorker(worker);
          });
}

}  // namespace assay
