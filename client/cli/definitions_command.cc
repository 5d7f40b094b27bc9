#include "client/cli/definitions_command.h"

#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/file.h"
#include "base/status_macros.h"
#include "client/cli/fields.h"
#include "client/cli/listing.h"
#include "client/cli/units.h"
#include "schema/dtype.h"
#include "schema/json.h"

namespace assay {
namespace {

struct ListFlags {
  std::string op_type;
  LimitFlag limit;
};

struct GetFlags {
  std::string name;
  std::string output;
};

// "batch_size hidden_size=4096".
std::string AxesText(const v1::Definition& definition) {
  return absl::StrJoin(definition.axes(), " ",
                       [](std::string* out, const v1::Axis& axis) {
                         absl::StrAppend(out, axis.name());
                         if (axis.kind() == v1::Axis::CONST) {
                           absl::StrAppend(out, "=", axis.value());
                         }
                       });
}

// "x: bfloat16[batch_size, hidden_size]", "factor: float32".
std::string TensorsText(
    const google::protobuf::RepeatedPtrField<v1::TensorSpec>& tensors) {
  return absl::StrJoin(
      tensors, ", ", [](std::string* out, const v1::TensorSpec& tensor) {
        absl::StrAppend(out, tensor.name(), ": ", DTypeName(tensor.dtype()));
        if (!tensor.is_scalar()) {
          absl::StrAppend(out, "[", absl::StrJoin(tensor.shape(), ", "), "]");
        }
      });
}

absl::StatusOr<ExitCode> List(const ListFlags& flags, CommandContext& context) {
  ASSAY_ASSIGN_OR_RETURN(const auto client, context.Connect());
  v1::ListDefinitionsRequest filter;
  filter.set_op_type(flags.op_type);
  return PrintList<v1::DefinitionRecord>(
      context, client->ListDefinitions(filter), flags.limit, "definitions",
      Table({{"name", Table::kLeft, true},
             {"op_type"},
             {"axes", Table::kLeft, true},
             {"created (UTC)"}}),
      [](const v1::DefinitionRecord& record) -> std::vector<std::string> {
        const v1::Definition& definition = record.definition();
        return {definition.name(), definition.op_type(), AxesText(definition),
                FormatTime(record.create_time_us())};
      });
}

std::string Text(const v1::DefinitionRecord& record) {
  const v1::Definition& definition = record.definition();
  Fields fields;
  fields.Add("name", definition.name())
      .Add("op_type", definition.op_type())
      .Add("description", definition.description())
      .Add("tags", absl::StrJoin(definition.tags(), ", "))
      .Add("axes", AxesText(definition))
      .Add("inputs", TensorsText(definition.inputs()))
      .Add("outputs", TensorsText(definition.outputs()))
      .Add("constraints", absl::StrJoin(definition.constraints(), ", "))
      .Add("digest", record.digest())
      .Add("created", absl::StrCat(FormatTime(record.create_time_us()), " UTC"))
      .AddBlock("reference", definition.reference());
  return fields.Render();
}

absl::StatusOr<ExitCode> Get(const GetFlags& flags, CommandContext& context) {
  ASSAY_ASSIGN_OR_RETURN(const auto client, context.Connect());
  const auto record = client->GetDefinition(flags.name);
  if (!record.ok()) {
    return SuggestDefinitions(record.status(), *client, flags.name);
  }
  if (!flags.output.empty()) {
    ASSAY_RETURN_IF_ERROR(WriteFileAtomically(
        flags.output,
        DefinitionToJson(record->definition(), JsonStyle::kPretty)));
  }
  if (context.json) {
    context.PrintJson(Json(*record));
  } else if (flags.output.empty()) {
    context.console.Print(Text(*record));
  }
  return ExitCode::kOk;
}

}  // namespace

void AddDefinitionsCommand(Command root, CommandContext& context) {
  Command group = root.AddGroup("definitions", "Show definitions");

  const auto list_flags = std::make_shared<ListFlags>();
  Command list = group.AddCommand("list", "List them by name");
  list.Text("--op-type", list_flags->op_type, "Only this op_type");
  list_flags->limit.AddTo(list);
  FinishCommand(list, context, [list_flags](CommandContext& invoked) {
    return List(*list_flags, invoked);
  });

  const auto get_flags = std::make_shared<GetFlags>();
  Command get = group.AddCommand("get", "Show one");
  get.Required("name", get_flags->name, "Its name");
  get.Text("-o,--output", get_flags->output,
           {"Write it to this file, in FlashInfer-Trace's form", "FILE"});
  FinishCommand(get, context, [get_flags](CommandContext& invoked) {
    return Get(*get_flags, invoked);
  });
}

}  // namespace assay
