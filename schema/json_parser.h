// JSON text into a tree, stricter than the library by itself: a member given
// twice, a NUL in a string, and text that is too deep or too large are errors
// instead of surprises later.

#ifndef ASSAY_SCHEMA_JSON_PARSER_H_
#define ASSAY_SCHEMA_JSON_PARSER_H_

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace assay {

// Keeps members in the order of the text.
using Json = nlohmann::ordered_json;

struct JsonLimits {
  // Size of the text.
  size_t max_bytes = size_t{128} << 20;
  // Arrays and objects within each other.
  int max_depth = 64;
  // Values in all; a small text can hold many.
  size_t max_values = size_t{1} << 20;
};

// INVALID_ARGUMENT says what is wrong and where: line and column for syntax,
// the JSON path for the rest. Thread-safe.
absl::StatusOr<Json> ParseJson(absl::string_view text,
                               const JsonLimits& limits = {});

// The value as it would stand in JSON, shortened, for messages.
std::string JsonExcerpt(const Json& value);

// On one line; text that is no UTF-8 has its bad bytes replaced.
std::string DumpJson(const Json& value);

}  // namespace assay

#endif  // ASSAY_SCHEMA_JSON_PARSER_H_
