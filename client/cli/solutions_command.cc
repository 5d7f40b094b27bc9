#include "client/cli/solutions_command.h"

#include <memory>
#include <string>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/file.h"
#include "base/status_macros.h"
#include "client/cli/fields.h"
#include "client/cli/listing.h"
#include "client/cli/units.h"
#include "schema/json.h"

namespace assay {
namespace {

struct ListFlags {
  std::string definition;
  std::string author;
  LimitFlag limit;
};

struct GetFlags {
  std::string name;
  std::string output;
  bool sources = false;
};

std::string LanguageName(v1::BuildSpec::Language language) {
  return language == v1::BuildSpec::LANGUAGE_UNSPECIFIED
             ? ""
             : absl::AsciiStrToLower(v1::BuildSpec::Language_Name(language));
}

std::string BindingName(v1::BuildSpec::Binding binding) {
  switch (binding) {
    case v1::BuildSpec::TVM_FFI:
      return "tvm-ffi";
    case v1::BuildSpec::TORCH:
      return "torch";
    case v1::BuildSpec::C:
      return "c";
    default:
      return "";
  }
}

absl::StatusOr<ExitCode> List(const ListFlags& flags, CommandContext& context) {
  ASSAY_ASSIGN_OR_RETURN(const auto client, context.Connect());
  v1::ListSolutionsRequest filter;
  filter.set_definition(flags.definition);
  filter.set_author(flags.author);
  return PrintList<v1::SolutionRecord>(
      context, client->ListSolutions(filter), flags.limit, "solutions",
      Table({{"name", Table::kLeft, true},
             {"definition", Table::kLeft, true},
             {"author"},
             {"language"},
             {"hardware"},
             {"created (UTC)"}}),
      [](const v1::SolutionRecord& record) -> std::vector<std::string> {
        const v1::Solution& solution = record.solution();
        return {solution.name(),
                solution.definition(),
                solution.author(),
                LanguageName(solution.spec().language()),
                absl::StrJoin(solution.spec().target_hardware(), ","),
                FormatTime(record.create_time_us())};
      });
}

std::string Text(const v1::SolutionRecord& record, bool with_sources) {
  const v1::Solution& solution = record.solution();
  const v1::BuildSpec& spec = solution.spec();
  Fields fields;
  fields.Add("name", solution.name())
      .Add("definition", solution.definition())
      .Add("author", solution.author())
      .Add("description", solution.description())
      .Add("language", LanguageName(spec.language()))
      .Add("binding", BindingName(spec.binding()))
      .Add("hardware", absl::StrJoin(spec.target_hardware(), ", "))
      .Add("entry point", spec.entry_point())
      .Add("style", spec.destination_passing_style() ? "destination passing"
                                                     : "returns outputs")
      .Add("dependencies", absl::StrJoin(spec.dependencies(), ", "))
      .Add("options", absl::StrJoin(spec.compile_options(), " "))
      .Add("digest", record.digest())
      .Add("created",
           absl::StrCat(FormatTime(record.create_time_us()), " UTC"));
  std::vector<std::string> files;
  for (const v1::SourceFile& source : solution.sources()) {
    files.push_back(absl::StrCat(
        source.path(), " (",
        FormatBytes(static_cast<int64_t>(source.content().size())), ")"));
    if (with_sources) fields.AddBlock(source.path(), source.content());
  }
  fields.Add("sources", absl::StrJoin(files, ", "));
  return fields.Render();
}

absl::StatusOr<ExitCode> Get(const GetFlags& flags, CommandContext& context) {
  ASSAY_ASSIGN_OR_RETURN(const auto client, context.Connect());
  const auto record = client->GetSolution(flags.name);
  if (!record.ok()) {
    return SuggestSolutions(record.status(), *client, flags.name);
  }
  if (!flags.output.empty()) {
    ASSAY_RETURN_IF_ERROR(WriteFileAtomically(
        flags.output, SolutionToJson(record->solution(), JsonStyle::kPretty)));
  }
  if (context.json) {
    context.PrintJson(Json(*record));
  } else if (flags.output.empty()) {
    context.console.Print(Text(*record, flags.sources));
  }
  return ExitCode::kOk;
}

}  // namespace

void AddSolutionsCommand(Command root, CommandContext& context) {
  Command group = root.AddGroup("solutions", "Show stored solutions");

  const auto list_flags = std::make_shared<ListFlags>();
  Command list = group.AddCommand("list", "List them by name");
  list.Text("--definition", list_flags->definition, "Only of this definition");
  list.Text("--author", list_flags->author, "Only of this author");
  list_flags->limit.AddTo(list);
  FinishCommand(list, context, [list_flags](CommandContext& invoked) {
    return List(*list_flags, invoked);
  });

  const auto get_flags = std::make_shared<GetFlags>();
  Command get = group.AddCommand("get", "Show one");
  get.Required("name", get_flags->name, "Its name");
  get.Switch("--sources", get_flags->sources, "Show its files too");
  get.Text("-o,--output", get_flags->output,
           {"Write it to this file, in FlashInfer-Trace's form", "FILE"});
  FinishCommand(get, context, [get_flags](CommandContext& invoked) {
    return Get(*get_flags, invoked);
  });
}

}  // namespace assay
