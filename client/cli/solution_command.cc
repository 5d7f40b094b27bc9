#include "client/cli/solution_command.h"

#include <memory>
#include <string>

#include "absl/strings/str_cat.h"
#include "base/file.h"
#include "base/status_macros.h"
#include "client/cli/text.h"
#include "schema/json.h"
#include "schema/pack.h"

namespace assay {
namespace {

struct Flags {
  std::string folder;
  std::string file;
};

Json Document(const v1::Solution& solution, const std::string& path) {
  Json document;
  document.Set("solution", solution.name())
      .Set("sources", solution.sources_size())
      .Set("path", path);
  return document;
}

absl::StatusOr<ExitCode> Pack(const Flags& flags, CommandContext& context) {
  ASSAY_ASSIGN_OR_RETURN(const v1::Solution solution,
                         PackSolution(flags.folder));
  const std::string text = SolutionToJson(solution, JsonStyle::kPretty);
  if (flags.file.empty()) {
    context.console.out() << text;
    return ExitCode::kOk;
  }
  ASSAY_RETURN_IF_ERROR(WriteFileAtomically(flags.file, text));
  if (context.json) {
    context.PrintJson(Document(solution, flags.file));
  } else {
    context.console.Print(absl::StrCat("packed ", solution.name(), " with ",
                                       Count(solution.sources_size(), "source"),
                                       " into ", flags.file));
  }
  return ExitCode::kOk;
}

absl::StatusOr<ExitCode> Unpack(const Flags& flags, CommandContext& context) {
  ASSAY_ASSIGN_OR_RETURN(const std::string text, ReadFile(flags.file));
  const absl::StatusOr<v1::Solution> solution = SolutionFromJson(text);
  if (!solution.ok()) return Annotate(solution.status(), flags.file);
  ASSAY_RETURN_IF_ERROR(UnpackSolution(*solution, flags.folder));
  if (context.json) {
    context.PrintJson(Document(*solution, flags.folder));
  } else {
    context.console.Print(absl::StrCat(
        "unpacked ", solution->name(), " with ",
        Count(solution->sources_size(), "source"), " into ", flags.folder));
  }
  return ExitCode::kOk;
}

}  // namespace

void AddSolutionCommand(Command root, CommandContext& context) {
  Command group = root.AddGroup(
      "solution", "Turn a folder of sources into one JSON file and back");

  const auto pack_flags = std::make_shared<Flags>();
  Command pack = group.AddCommand("pack", "Folder to JSON");
  pack.Required("folder", pack_flags->folder,
                "Folder with solution.json and the files it names");
  pack.Text("-o,--output", pack_flags->file,
            {"File to write (default: standard output)", "FILE"});
  FinishLocalCommand(pack, context, [pack_flags](CommandContext& invoked) {
    return Pack(*pack_flags, invoked);
  });

  const auto unpack_flags = std::make_shared<Flags>();
  Command unpack = group.AddCommand("unpack", "JSON to folder");
  unpack.Required("file", unpack_flags->file, "JSON file of a solution");
  unpack.Required("folder", unpack_flags->folder, "Folder to write");
  FinishLocalCommand(unpack, context, [unpack_flags](CommandContext& invoked) {
    return Unpack(*unpack_flags, invoked);
  });
}

}  // namespace assay
