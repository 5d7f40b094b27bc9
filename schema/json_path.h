// Paths into a JSON document, for messages: `$.inputs.x.shape[1]`.

#ifndef ASSAY_SCHEMA_JSON_PATH_H_
#define ASSAY_SCHEMA_JSON_PATH_H_

#include <cstddef>
#include <string>

#include "absl/strings/string_view.h"

namespace assay {

// `parent` and the member `name` of it; a name that is no plain word is quoted:
// `$["a b"]`.
std::string MemberPath(absl::string_view parent, absl::string_view name);

// `parent` and element `index` of it.
std::string ElementPath(absl::string_view parent, size_t index);

// The text in quotes, shortened and with control characters escaped.
std::string Quoted(absl::string_view text);

}  // namespace assay

#endif  // ASSAY_SCHEMA_JSON_PATH_H_
