#include "schema/names.h"

#include <algorithm>

#include "absl/strings/ascii.h"

namespace assay {
namespace {

constexpr size_t kMaxNameBytes = 200;

constexpr absl::string_view kPythonKeywords[] = {
    "False",  "None",   "True",    "and",      "as",       "assert", "async",
    "await",  "break",  "class",   "continue", "def",      "del",    "elif",
    "else",   "except", "finally", "for",      "from",     "global", "if",
    "import", "in",     "is",      "lambda",   "nonlocal", "not",    "or",
    "pass",   "raise",  "return",  "try",      "while",    "with",   "yield"};

bool IsWordCharacter(char c) {
  return absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == '_';
}

std::string LengthFault(absl::string_view name) {
  if (name.empty()) return "is empty, give it a value";
  if (name.size() > kMaxNameBytes) {
    return "is longer than 200 bytes, shorten it";
  }
  return "";
}

}  // namespace

std::string NameFault(absl::string_view name) {
  if (std::string fault = LengthFault(name); !fault.empty()) return fault;
  if (name.front() == '.') return "starts with \".\", start it with a letter";
  const bool fits = std::all_of(name.begin(), name.end(), [](char c) {
    return IsWordCharacter(c) || c == '-' || c == '.';
  });
  return fits ? "" : "may only have letters, digits, \"_\", \"-\" and \".\"";
}

std::string IdentifierFault(absl::string_view name) {
  if (std::string fault = LengthFault(name); !fault.empty()) return fault;
  if (!IsIdentifier(name)) {
    return "is no Python identifier, use letters, digits and \"_\"";
  }
  if (std::find(std::begin(kPythonKeywords), std::end(kPythonKeywords), name) !=
      std::end(kPythonKeywords)) {
    return "is a Python keyword, choose another name";
  }
  return "";
}

std::string LineFault(absl::string_view text) {
  if (std::string fault = LengthFault(text); !fault.empty()) return fault;
  const bool has_control = std::any_of(text.begin(), text.end(), [](char c) {
    return absl::ascii_iscntrl(static_cast<unsigned char>(c));
  });
  return has_control ? "contains a control character, remove it" : "";
}

bool IsIdentifier(absl::string_view name) {
  return !name.empty() &&
         !absl::ascii_isdigit(static_cast<unsigned char>(name.front())) &&
         std::all_of(name.begin(), name.end(), IsWordCharacter);
}

}  // namespace assay
