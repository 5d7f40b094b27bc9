#include "schema/json_path.h"

#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"

namespace assay {
namespace {

// Longer values are cut in messages.
constexpr size_t kShownBytes = 80;

bool IsPlainWord(absl::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == '_' ||
           c == '-';
  });
}

}  // namespace

std::string MemberPath(absl::string_view parent, absl::string_view name) {
  if (IsPlainWord(name)) return absl::StrCat(parent, ".", name);
  return absl::StrCat(parent, "[", Quoted(name), "]");
}

std::string ElementPath(absl::string_view parent, size_t index) {
  return absl::StrCat(parent, "[", index, "]");
}

std::string Quoted(absl::string_view text) {
  size_t shown = std::min(text.size(), kShownBytes);
  // Not in the middle of a UTF-8 sequence.
  while (shown < text.size() && shown > 0 && (text[shown] & 0xC0) == 0x80) {
    --shown;
  }
  return absl::StrCat("\"", absl::Utf8SafeCHexEscape(text.substr(0, shown)),
                      shown < text.size() ? "..." : "", "\"");
}

}  // namespace assay
