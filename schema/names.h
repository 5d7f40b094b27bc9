// Which names are allowed. Each function returns what is wrong, as the end of a
// sentence that starts with the name, or nothing.

#ifndef ASSAY_SCHEMA_NAMES_H_
#define ASSAY_SCHEMA_NAMES_H_

#include <string>

#include "absl/strings/string_view.h"

namespace assay {

// Names of definitions, solutions and op_types, which become names of files:
// letters, digits, `_`, `-` and `.`, not first a `.`, at most 200 characters.
std::string NameFault(absl::string_view name);

// Names of axes, inputs and outputs: Python identifiers in ASCII, no keywords.
std::string IdentifierFault(absl::string_view name);

// Text on one line, such as an author or a uuid: not empty, at most 200 bytes,
// no control characters.
std::string LineFault(absl::string_view text);

// Letters, digits and `_`, not first a digit.
bool IsIdentifier(absl::string_view name);

}  // namespace assay

#endif  // ASSAY_SCHEMA_NAMES_H_
