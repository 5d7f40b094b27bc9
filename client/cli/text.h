// Text that fits: widths in columns of a terminal, UTF-8 aware.

#ifndef ASSAY_CLIENT_CLI_TEXT_H_
#define ASSAY_CLIENT_CLI_TEXT_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace assay {

// Columns for running text where nothing says how many there are.
constexpr int kDefaultTextWidth = 100;

// Columns that the text takes: one for each code point.
int TextWidth(absl::string_view text);

// At most `width` columns: the middle gives way to "...", so that what tells
// names apart, at their beginning and end, stays. 0 or less: not cut.
std::string CutMiddle(absl::string_view text, int width);

// At most `width` columns: the end gives way to "...". 0 or less: not cut.
std::string CutEnd(absl::string_view text, int width);

// Padded with blanks to `width` columns.
std::string PadRight(absl::string_view text, int width);
std::string PadLeft(absl::string_view text, int width);

// Safe on a terminal: control characters other than newline and tab become
// `?`, so that no log moves the cursor or changes colours.
std::string Printable(absl::string_view text);

// "1 job", "2 jobs".
std::string Count(int64_t count, absl::string_view noun);
// The same for a noun with another plural.
std::string Count(int64_t count, absl::string_view one, absl::string_view many);

// Breaks the words, joined by ", ", into lines of at most `width` columns, each
// indented. 0: as one line.
std::string WrapList(const std::vector<std::string>& words, int indent,
                     int width);

}  // namespace assay

#endif  // ASSAY_CLIENT_CLI_TEXT_H_
