#include "client/cli/text.h"

#include <algorithm>
#include <cstdint>

#include "absl/strings/str_cat.h"

namespace assay {
namespace {

constexpr absl::string_view kGap = "...";
constexpr int kGapWidth = 3;

bool StartsCodePoint(char c) {
  return (static_cast<unsigned char>(c) & 0xc0) != 0x80;
}

// The first `columns` code points.
absl::string_view Head(absl::string_view text, int columns) {
  size_t end = 0;
  while (end < text.size()) {
    if (StartsCodePoint(text[end]) && columns-- == 0) break;
    ++end;
  }
  return text.substr(0, end);
}

// The last `columns` code points.
absl::string_view Tail(absl::string_view text, int columns) {
  size_t begin = text.size();
  while (columns > 0 && begin > 0) {
    --begin;
    if (StartsCodePoint(text[begin])) --columns;
  }
  return text.substr(begin);
}

}  // namespace

int TextWidth(absl::string_view text) {
  return static_cast<int>(
      std::count_if(text.begin(), text.end(), StartsCodePoint));
}

std::string CutMiddle(absl::string_view text, int width) {
  if (width <= 0 || TextWidth(text) <= width) return std::string(text);
  if (width <= kGapWidth) return std::string(Head(text, width));
  const int kept = width - kGapWidth;
  // The end of a name says more: `..._cpp_vectorized`.
  const int tail = (kept + 1) / 2;
  return absl::StrCat(Head(text, kept - tail), kGap, Tail(text, tail));
}

std::string CutEnd(absl::string_view text, int width) {
  if (width <= 0 || TextWidth(text) <= width) return std::string(text);
  if (width <= kGapWidth) return std::string(Head(text, width));
  return absl::StrCat(Head(text, width - kGapWidth), kGap);
}

std::string PadRight(absl::string_view text, int width) {
  const int blanks = std::max(0, width - TextWidth(text));
  return absl::StrCat(text, std::string(static_cast<size_t>(blanks), ' '));
}

std::string PadLeft(absl::string_view text, int width) {
  const int blanks = std::max(0, width - TextWidth(text));
  return absl::StrCat(std::string(static_cast<size_t>(blanks), ' '), text);
}

std::string Printable(absl::string_view text) {
  std::string printable(text);
  for (char& c : printable) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte < 0x20 && c != '\n' && c != '\t') || byte == 0x7f) c = '?';
  }
  return printable;
}

std::string Count(int64_t count, absl::string_view noun) {
  return absl::StrCat(count, " ", noun, count == 1 ? "" : "s");
}

std::string Count(int64_t count, absl::string_view one,
                  absl::string_view many) {
  return absl::StrCat(count, " ", count == 1 ? one : many);
}

std::string WrapList(const std::vector<std::string>& words, int indent,
                     int width) {
  const std::string margin(static_cast<size_t>(indent), ' ');
  std::string out = margin;
  int column = indent;
  for (size_t i = 0; i < words.size(); ++i) {
    const std::string word =
        absl::StrCat(words[i], i + 1 < words.size() ? "," : "");
    const int word_width = TextWidth(word);
    if (i > 0 && width > 0 && column + 1 + word_width > width) {
      absl::StrAppend(&out, "\n", margin, word);
      column = indent + word_width;
      continue;
    }
    absl::StrAppend(&out, i > 0 ? " " : "", word);
    column += word_width + (i > 0 ? 1 : 0);
  }
  return out;
}

}  // namespace assay
