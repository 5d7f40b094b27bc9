#include "client/cli/workloads_command.h"

#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/status_macros.h"
#include "client/cli/evaluation_text.h"
#include "client/cli/fields.h"
#include "client/cli/listing.h"
#include "client/cli/units.h"

namespace assay {
namespace {

struct ListFlags {
  std::string definition;
  LimitFlag limit;
};

std::string InputText(const v1::WorkloadInput& input) {
  switch (input.kind_case()) {
    case v1::WorkloadInput::kRandom:
      return "random";
    case v1::WorkloadInput::kScalar: {
      const v1::ScalarInput& scalar = input.scalar();
      if (scalar.has_bool_value()) {
        return scalar.bool_value() ? "true" : "false";
      }
      return scalar.has_int_value() ? absl::StrCat(scalar.int_value())
                                    : absl::StrCat(scalar.float_value());
    }
    case v1::WorkloadInput::kSafetensors:
      return absl::StrCat(input.safetensors().path(), " [",
                          input.safetensors().tensor_key(), "]");
    case v1::WorkloadInput::KIND_NOT_SET:
      return "unknown";
  }
  return "unknown";
}

std::string InputsText(const v1::Workload& workload) {
  return absl::StrJoin(workload.inputs(), ", ",
                       [](std::string* out, const v1::WorkloadInput& input) {
                         absl::StrAppend(out, input.name(), ": ",
                                         InputText(input));
                       });
}

absl::StatusOr<ExitCode> List(const ListFlags& flags, CommandContext& context) {
  ASSAY_ASSIGN_OR_RETURN(const auto client, context.Connect());
  v1::ListWorkloadsRequest filter;
  filter.set_definition(flags.definition);
  return PrintList<v1::WorkloadRecord>(
      context, client->ListWorkloads(filter), flags.limit, "workloads",
      Table({{"uuid"},
             {"definition", Table::kLeft, true},
             {"axes", Table::kLeft, true},
             {"hardware"}}),
      [](const v1::WorkloadRecord& record) -> std::vector<std::string> {
        const v1::Workload& workload = record.workload();
        return {workload.uuid(), record.definition(), WorkloadLabel(workload),
                absl::StrJoin(workload.target_hardware(), ",")};
      });
}

absl::StatusOr<ExitCode> Get(const std::string& uuid, CommandContext& context) {
  ASSAY_ASSIGN_OR_RETURN(const auto client, context.Connect());
  ASSAY_ASSIGN_OR_RETURN(const v1::WorkloadRecord record,
                         client->GetWorkload(uuid));
  if (context.json) {
    context.PrintJson(Json(record));
    return ExitCode::kOk;
  }
  const v1::Workload& workload = record.workload();
  Fields fields;
  fields.Add("uuid", workload.uuid())
      .Add("definition", record.definition())
      .Add("axes", workload.axes().empty() ? "" : WorkloadLabel(workload))
      .Add("inputs", InputsText(workload))
      .Add("hardware", absl::StrJoin(workload.target_hardware(), ", "))
      .Add("digest", record.digest())
      .Add("created",
           absl::StrCat(FormatTime(record.create_time_us()), " UTC"));
  context.console.Print(fields.Render());
  return ExitCode::kOk;
}

}  // namespace

void AddWorkloadsCommand(Command root, CommandContext& context) {
  Command group = root.AddGroup("workloads", "Show workloads");

  const auto list_flags = std::make_shared<ListFlags>();
  Command list = group.AddCommand("list", "List them, oldest first");
  list.Text("--definition", list_flags->definition, "Only of this definition");
  list_flags->limit.AddTo(list);
  FinishCommand(list, context, [list_flags](CommandContext& invoked) {
    return List(*list_flags, invoked);
  });

  const auto uuid = std::make_shared<std::string>();
  Command get = group.AddCommand("get", "Show one");
  get.Required("uuid", *uuid, "Its uuid");
  FinishCommand(get, context, [uuid](CommandContext& invoked) {
    return Get(*uuid, invoked);
  });
}

}  // namespace assay
