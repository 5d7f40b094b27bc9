#include "client/cli/fields.h"

#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "client/cli/text.h"

namespace assay {

Fields& Fields::Add(absl::string_view name, absl::string_view value) {
  if (!value.empty()) fields_.emplace_back(name, Printable(value));
  return *this;
}

Fields& Fields::AddBlock(absl::string_view name, absl::string_view text) {
  const absl::string_view stripped = absl::StripTrailingAsciiWhitespace(text);
  if (!stripped.empty()) blocks_.emplace_back(name, Printable(stripped));
  return *this;
}

std::string Fields::Render() const {
  int widest = 0;
  for (const auto& [name, value] : fields_) {
    widest = std::max(widest, TextWidth(name));
  }
  std::vector<std::string> lines;
  for (const auto& [name, value] : fields_) {
    lines.push_back(absl::StrCat(PadRight(name, widest), "  ", value));
  }
  for (const auto& [name, text] : blocks_) {
    lines.push_back(absl::StrCat("\n", name, ":"));
    for (const absl::string_view line : absl::StrSplit(text, '\n')) {
      lines.push_back(line.empty() ? "" : absl::StrCat("    ", line));
    }
  }
  return absl::StrJoin(lines, "\n");
}

}  // namespace assay
