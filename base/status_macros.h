// Macros that pass errors up, and the one way to add context to them.
//
//   ASSAY_RETURN_IF_ERROR(Check(solution));
//   ASSAY_ASSIGN_OR_RETURN(std::string text, ReadFile(path));
//   return Annotate(status, "reading the trace set");

#ifndef ASSAY_BASE_STATUS_MACROS_H_
#define ASSAY_BASE_STATUS_MACROS_H_

#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace assay {

// The same error with "context: " in front of its message. OK stays OK.
inline absl::Status Annotate(const absl::Status& status,
                             absl::string_view context) {
  if (status.ok()) return status;
  return absl::Status(status.code(),
                      absl::StrCat(context, ": ", status.message()));
}

}  // namespace assay

#define ASSAY_CONCAT_INNER(a, b) a##b
#define ASSAY_CONCAT(a, b) ASSAY_CONCAT_INNER(a, b)

// Returns the status of `expression` from the enclosing function unless OK.
#define ASSAY_RETURN_IF_ERROR(expression)                               \
  do {                                                                  \
    if (absl::Status assay_status_ = (expression); !assay_status_.ok()) \
      return assay_status_;                                             \
  } while (false)

// Declares or assigns `target` from the StatusOr `expression`, or returns its
// status from the enclosing function.
#define ASSAY_ASSIGN_OR_RETURN(target, expression)                        \
  ASSAY_ASSIGN_OR_RETURN_INNER(ASSAY_CONCAT(assay_or_, __LINE__), target, \
                               expression)
#define ASSAY_ASSIGN_OR_RETURN_INNER(variable, target, expression) \
  auto variable = (expression);                                    \
  if (!variable.ok()) return variable.status();                    \
  target = std::move(variable).value()

#endif  // ASSAY_BASE_STATUS_MACROS_H_
