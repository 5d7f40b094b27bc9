#include "client/cli/validate_command.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "client/cli/text.h"
#include "schema/problem.h"
#include "schema/trace_set.h"
#include "schema/validate_trace_set.h"

namespace assay {
namespace {

template <typename Items>
int64_t Size(const Items& items) {
  return static_cast<int64_t>(items.size());
}

void PrintText(const TraceSet& set, const std::vector<Problem>& problems,
               int64_t errors, Console& console) {
  for (const Problem& problem : problems) {
    const absl::string_view word = problem.is_warning ? "warning" : "error";
    const Color color = problem.is_warning ? Color::kYellow : Color::kRed;
    console.Print(absl::StrCat(console.Paint(word, color), ": ",
                               Printable(ToString(problem))));
  }
  console.Print(absl::StrCat(Count(Size(set.definitions), "definition"), ", ",
                             Count(Size(set.solutions), "solution"), ", ",
                             Count(Size(set.workloads), "workload"), ", ",
                             Count(Size(set.traces), "trace"), ": ",
                             Count(errors, "error"), ", ",
                             Count(Size(problems) - errors, "warning")));
}

Json Document(const TraceSet& set, const std::vector<Problem>& problems,
              int64_t errors) {
  Json list = Json::EmptyArray();
  for (const Problem& problem : problems) {
    list.Append(Json()
                    .Set("path", problem.path)
                    .Set("message", problem.message)
                    .Set("severity", problem.is_warning ? "warning" : "error"));
  }
  Json document;
  document.Set("problems", list)
      .Set("errors", errors)
      .Set("warnings", Size(problems) - errors)
      .Set("definitions", Size(set.definitions))
      .Set("solutions", Size(set.solutions))
      .Set("workloads", Size(set.workloads))
      .Set("traces", Size(set.traces));
  return document;
}

absl::StatusOr<ExitCode> Validate(const std::string& root,
                                  CommandContext& context) {
  ASSAY_ASSIGN_OR_RETURN(const TraceSet set, ReadTraceSet(root));
  const std::vector<Problem> problems = ValidateTraceSet(set);
  int64_t errors = 0;
  for (const Problem& problem : problems) errors += problem.is_warning ? 0 : 1;
  if (context.json) {
    context.PrintJson(Document(set, problems, errors));
  } else {
    PrintText(set, problems, errors, context.console);
  }
  return errors == 0 ? ExitCode::kOk : ExitCode::kInvalidInput;
}

}  // namespace

void AddValidateCommand(Command root, CommandContext& context) {
  const auto folder = std::make_shared<std::string>();
  Command command =
      root.AddCommand("validate", "Check a trace set without running anything");
  command.Required("folder", *folder, "Folder of the trace set");
  FinishLocalCommand(command, context, [folder](CommandContext& invoked) {
    return Validate(*folder, invoked);
  });
}

}  // namespace assay
