#include "client/cli/workers_command.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "base/status_macros.h"
#include "client/cli/fields.h"
#include "client/cli/listing.h"
#include "client/cli/units.h"

namespace assay {
namespace {

std::string StateWord(v1::WorkerRecord::State state) {
  return v1::WorkerRecord::State_IsValid(state)
             ? v1::WorkerRecord::State_Name(state)
             : "UNKNOWN";
}

std::string Languages(const v1::Device& device) {
  std::vector<std::string> words;
  for (const int value : device.languages()) {
    const auto language = static_cast<v1::BuildSpec::Language>(value);
    words.push_back(
        absl::AsciiStrToLower(v1::BuildSpec::Language_Name(language)));
  }
  return absl::StrJoin(words, ", ");
}

std::string Bindings(const v1::Device& device) {
  std::vector<std::string> words;
  for (const int value : device.bindings()) {
    const auto binding = static_cast<v1::BuildSpec::Binding>(value);
    words.push_back(absl::StrReplaceAll(
        absl::AsciiStrToLower(v1::BuildSpec::Binding_Name(binding)),
        {{"_", "-"}}));
  }
  return absl::StrJoin(words, ", ");
}

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
             {"last seen (UTC)"}}),
      [](const v1::WorkerRecord& record) -> std::vector<std::string> {
        const v1::Device& device = record.device();
        return {record.worker_id(),
                StateWord(record.state()),
                device.kind(),
                device.model(),
                device.architecture(),
                FormatBytes(device.memory_bytes()),
                FormatTime(record.last_seen_time_us())};
      });
}

absl::StatusOr<ExitCode> Get(const std::string& id, CommandContext& context) {
  ASSAY_ASSIGN_OR_RETURN(const auto client, context.Connect());
  ASSAY_ASSIGN_OR_RETURN(const v1::WorkerRecord record, client->GetWorker(id));
  if (context.json) {
    context.PrintJson(Json(record));
    return ExitCode::kOk;
  }
  const v1::Device& device = record.device();
  const std::map<std::string, std::string> libs(device.libs().begin(),
                                                device.libs().end());
  Fields fields;
  fields.Add("id", record.worker_id())
      .Add("state", StateWord(record.state()))
      .Add("lease", record.lease_id())
      .Add("version", record.version())
      .Add("device", device.kind())
      .Add("model", device.model())
      .Add("architecture", device.architecture())
      .Add("memory", FormatBytes(device.memory_bytes()))
      .Add("languages", Languages(device))
      .Add("bindings", Bindings(device))
      .Add("labels", absl::StrJoin(device.labels(), ", "))
      .Add("libraries", absl::StrJoin(libs, ", ", absl::PairFormatter(" ")))
      .Add("registered",
           absl::StrCat(FormatTime(record.register_time_us()), " UTC"))
      .Add("last seen",
           absl::StrCat(FormatTime(record.last_seen_time_us()), " UTC"));
  context.console.Print(fields.Render());
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
