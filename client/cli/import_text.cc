#include "client/cli/import_text.h"

#include <algorithm>
#include <set>
#include <string>

#include "absl/strings/str_cat.h"
#include "client/cli/text.h"
#include "schema/problem.h"

namespace assay {

int64_t ReportUnreadable(CommandContext& context, const TraceSet& set) {
  int64_t errors = 0;
  for (const Problem& problem : set.problems) {
    context.console.Note(Printable(absl::StrCat(
        problem.is_warning ? "warning: " : "left out: ", ToString(problem))));
    if (!problem.is_warning) ++errors;
  }
  return errors;
}

void ReportRejections(CommandContext& context,
                      const v1::ImportTraceSetResponse& response) {
  for (const auto& rejection : response.rejections()) {
    context.console.Note(Printable(absl::StrCat("refused: ", rejection.origin(),
                                                ": ", rejection.message())));
  }
  const int64_t untold = response.rejected() - response.rejections_size();
  if (untold > 0) {
    context.console.Note(absl::StrCat("refused: ", untold, " more"));
  }
}

void DropRejected(const v1::ImportTraceSetResponse& response, TraceSet& set) {
  std::set<std::string> origins;
  for (const auto& rejection : response.rejections()) {
    origins.insert(rejection.origin());
  }
  const auto drop = [&origins](auto& items) {
    items.erase(std::remove_if(items.begin(), items.end(),
                               [&origins](const auto& item) {
                                 return origins.count(item.origin) > 0;
                               }),
                items.end());
  };
  drop(set.definitions);
  drop(set.solutions);
  drop(set.workloads);
  drop(set.traces);
}

}  // namespace assay
