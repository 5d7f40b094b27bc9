#include "schema/problem.h"

#include "absl/strings/str_cat.h"

namespace assay {
namespace {

// More than these would bury the first cause.
constexpr int kShownErrors = 8;

}  // namespace

std::string ToString(const Problem& problem) {
  if (problem.path.empty()) return problem.message;
  return absl::StrCat(problem.path, ": ", problem.message);
}

absl::Status ToStatus(const std::vector<Problem>& problems) {
  std::string text;
  int errors = 0;
  for (const Problem& problem : problems) {
    if (problem.is_warning) continue;
    if (++errors > kShownErrors) continue;
    absl::StrAppend(&text, errors > 1 ? "; " : "", ToString(problem));
  }
  if (errors == 0) return absl::OkStatus();
  if (errors > kShownErrors) {
    absl::StrAppend(&text, "; and ", errors - kShownErrors, " more");
  }
  return absl::InvalidArgumentError(text);
}

}  // namespace assay
