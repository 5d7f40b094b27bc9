// What is wrong with an object, in words for the person who wrote it.
//
//   std::vector<Problem> problems = ValidateDefinition(definition);
//   ASSAY_RETURN_IF_ERROR(ToStatus(problems));

#ifndef ASSAY_SCHEMA_PROBLEM_H_
#define ASSAY_SCHEMA_PROBLEM_H_

#include <string>
#include <vector>

#include "absl/status/status.h"

namespace assay {

// One finding.
struct Problem {
  // Where: a JSON path (`$.inputs.x.shape[1]`), in a trace set after the name
  // of the file. Empty for the object as a whole.
  std::string path;
  // What, the offending value in quotes, and what to do.
  std::string message;
  // True when the object can be used all the same.
  bool is_warning = false;
};

// "`path`: `message`", or the message alone where there is no path.
std::string ToString(const Problem& problem);

// OK when there are only warnings; else INVALID_ARGUMENT with the first few
// errors and how many more there are.
absl::Status ToStatus(const std::vector<Problem>& problems);

}  // namespace assay

#endif  // ASSAY_SCHEMA_PROBLEM_H_
