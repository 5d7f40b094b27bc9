#include "client/cli/local_lint.h"

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "client/cli/import_text.h"
#include "client/import.h"

namespace assay {
namespace {

std::vector<LintSubject> SubjectsOf(const TraceSet& set) {
  std::vector<LintSubject> subjects;
  std::map<std::string, size_t> places;
  for (const auto& item : set.definitions) {
    places.emplace(item.value.name(), subjects.size());
    subjects.push_back({item.value, {}});
  }
  for (const auto& item : set.workloads) {
    const auto found = places.find(item.value.definition());
    if (found == places.end()) continue;
    subjects[found->second].workloads.push_back(item.value.workload());
  }
  return subjects;
}

absl::StatusOr<LintReport> ImportAndLint(CommandContext& context,
                                         LocalStack& stack, TraceSet set,
                                         const LintOptions& options) {
  set.solutions.clear();
  set.traces.clear();
  ASSAY_ASSIGN_OR_RETURN(const ImportReport imported,
                         ImportTraceSet(stack.client(), set, {}));
  ReportRejections(context, imported.response);
  DropRejected(imported.response, set);
  return LintDefinitions(stack.client(), SubjectsOf(set), options);
}

}  // namespace

absl::StatusOr<LintReport> LintHere(CommandContext& context,
                                    const TraceSet& set,
                                    LocalStack::Options stack_options,
                                    LintOptions options) {
  Console& console = context.console;
  options.on_progress = [&console](absl::string_view what) {
    console.SetProgress(absl::StrCat("lint: ", what));
  };
  console.SetProgress("starting a coordinator and a worker");
  stack_options.cancellation = &context.cancellation;
  ASSAY_ASSIGN_OR_RETURN(const std::unique_ptr<LocalStack> stack,
                         LocalStack::Start(std::move(stack_options)));
  absl::StatusOr<LintReport> report =
      ImportAndLint(context, *stack, set, options);
  console.ClearProgress();
  // That a program ended explains whatever went wrong after it.
  ASSAY_RETURN_IF_ERROR(stack->CheckRunning());
  return report;
}

v1::EvaluationConfig LintConfig(const EvaluationFlags& flags) {
  v1::EvaluationConfig config;
  config.set_warmup_runs(0);
  config.set_iterations(3);
  config.set_num_trials(1);
  config.set_time_reference(false);
  config.MergeFrom(flags.ToConfig());
  return config;
}

}  // namespace assay
