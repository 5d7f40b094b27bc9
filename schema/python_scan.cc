#include "schema/python_scan.h"

#include <algorithm>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"

namespace assay {
namespace {

bool IsWordCharacter(char c) {
  return absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == '_';
}

// Replaces comments and the content of strings by spaces and keeps line ends,
// so that what is left can be searched for brackets and words.
class Blanker {
 public:
  explicit Blanker(absl::string_view source) : text_(source) {}

  // False when a string is never closed.
  bool Run() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '#') {
        BlankUntilLineEnd();
      } else if (c == '"' || c == '\'') {
        if (!BlankString(c)) return false;
      } else {
        ++at_;
      }
    }
    return true;
  }

  const std::string& text() const { return text_; }

 private:
  void BlankUntilLineEnd() {
    while (at_ < text_.size() && text_[at_] != '\n') text_[at_++] = ' ';
  }

  void Blank() {
    if (text_[at_] != '\n') text_[at_] = ' ';
    ++at_;
  }

  bool StartsWith(absl::string_view prefix) const {
    return absl::StartsWith(absl::string_view(text_).substr(at_), prefix);
  }

  // At the opening quote. An escaped quote does not close a raw string either.
  bool BlankString(char quote) {
    const std::string triple(3, quote);
    const bool is_long = StartsWith(triple);
    const std::string end = is_long ? triple : std::string(1, quote);
    // A string is a value: something must stay where it was.
    text_[at_] = '0';
    at_ += end.size();
    std::fill_n(text_.begin() + at_ - end.size() + 1, end.size() - 1, ' ');
    while (at_ < text_.size()) {
      if (StartsWith(end)) {
        for (size_t i = 0; i < end.size(); ++i) Blank();
        return true;
      }
      if (text_[at_] == '\n' && !is_long) return false;
      const bool is_escape = text_[at_] == '\\' && at_ + 1 < text_.size();
      if (is_escape) {
        // Both characters; the line may go on after it.
        text_[at_++] = ' ';
        text_[at_++] = ' ';
      } else {
        Blank();
      }
    }
    return false;
  }

  std::string text_;
  size_t at_ = 0;
};

// Reads one parameter, e.g. `x: int = 1`, `*args`, `/`.
void AddParameter(absl::string_view text, bool& keyword_only,
                  PythonFunction& function) {
  text = absl::StripAsciiWhitespace(text);
  if (text.empty() || text == "/" || absl::StartsWith(text, "**")) return;
  if (text.front() == '*') {
    if (text != "*") function.takes_more = true;
    keyword_only = true;
    return;
  }
  if (keyword_only) return;
  size_t end = 0;
  while (end < text.size() && IsWordCharacter(text[end])) ++end;
  function.parameters.emplace_back(text.substr(0, end));
  if (!absl::StrContains(text, '=')) ++function.required;
}

// The parameters between the brackets, the first of which is before `text`.
absl::optional<PythonFunction> ReadParameters(absl::string_view text) {
  PythonFunction function;
  bool keyword_only = false;
  int depth = 0;
  size_t start = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '(' || c == '[' || c == '{') ++depth;
    const bool ends = depth == 0 && c == ')';
    if (ends || (depth == 0 && c == ',')) {
      AddParameter(text.substr(start, i - start), keyword_only, function);
      start = i + 1;
    }
    if (ends) return function;
    if (c == ')' || c == ']' || c == '}') --depth;
  }
  return absl::nullopt;
}

// `line` starts at column 0 outside all brackets.
absl::optional<PythonFunction> FunctionAt(absl::string_view line,
                                          absl::string_view name) {
  if (!absl::ConsumePrefix(&line, "def ")) return absl::nullopt;
  line = absl::StripLeadingAsciiWhitespace(line);
  if (!absl::ConsumePrefix(&line, name)) return absl::nullopt;
  line = absl::StripLeadingAsciiWhitespace(line);
  if (!absl::ConsumePrefix(&line, "(")) return absl::nullopt;
  return ReadParameters(line);
}

}  // namespace

PythonScan ScanPython(absl::string_view source, absl::string_view function) {
  PythonScan result;
  Blanker blanker(source);
  result.is_sound = blanker.Run();
  const absl::string_view text = blanker.text();
  int depth = 0;
  bool at_line_start = true;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (at_line_start && depth == 0) {
      if (auto found = FunctionAt(text.substr(i), function)) {
        result.function = std::move(found);
      }
    }
    at_line_start = c == '\n' && (i == 0 || text[i - 1] != '\\');
    if (c == '(' || c == '[' || c == '{') ++depth;
    if (c == ')' || c == ']' || c == '}') --depth;
    if (depth < 0) break;
  }
  result.is_sound = result.is_sound && depth == 0;
  return result;
}

}  // namespace assay
