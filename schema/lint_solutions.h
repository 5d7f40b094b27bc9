// Solutions that `assay lint` makes: wrong on purpose, to see whether a
// definition's tolerance notices. They are no entries in any ranking, and lists
// leave them out unless asked for.

#ifndef ASSAY_SCHEMA_LINT_SOLUTIONS_H_
#define ASSAY_SCHEMA_LINT_SOLUTIONS_H_

#include "absl/strings/match.h"
#include "absl/strings/string_view.h"

namespace assay {

// How their names begin; no others' may, see ValidateSolution.
inline constexpr char kLintPrefix[] = "assay-lint-";
inline constexpr char kLintAuthor[] = "assay-lint";

inline bool IsLintSolution(absl::string_view name) {
  return absl::StartsWith(name, kLintPrefix);
}

}  // namespace assay

#endif  // ASSAY_SCHEMA_LINT_SOLUTIONS_H_
