#include "client/cli/table.h"

#include <algorithm>
#include <numeric>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "client/cli/text.h"

namespace assay {
namespace {

constexpr int kGap = 2;
// Narrower than this a name says nothing any more.
constexpr int kMinWidth = 12;

}  // namespace

void Table::Add(std::vector<std::string> cells) {
  cells.resize(columns_.size());
  // Names come from others: one row stays one line.
  for (std::string& cell : cells) {
    cell = Printable(cell);
    std::replace(cell.begin(), cell.end(), '\n', ' ');
  }
  rows_.push_back(std::move(cells));
}

std::vector<int> Table::ColumnWidths(int width) const {
  std::vector<int> widths;
  for (size_t c = 0; c < columns_.size(); ++c) {
    int widest = TextWidth(columns_[c].header);
    for (const auto& row : rows_) widest = std::max(widest, TextWidth(row[c]));
    widths.push_back(widest);
  }
  if (width <= 0) return widths;
  const int gaps = kGap * (static_cast<int>(columns_.size()) - 1);
  int excess = std::accumulate(widths.begin(), widths.end(), gaps) - width;
  // Takes from the widest column that can give, one at a time.
  while (excess > 0) {
    int* widest = nullptr;
    for (size_t c = 0; c < columns_.size(); ++c) {
      if (columns_[c].may_shrink && widths[c] > kMinWidth &&
          (widest == nullptr || widths[c] > *widest)) {
        widest = &widths[c];
      }
    }
    if (widest == nullptr) break;
    --*widest;
    --excess;
  }
  return widths;
}

std::string Table::Render(int width) const {
  const std::vector<int> widths = ColumnWidths(width);
  std::vector<std::string> lines;
  const auto add_line = [&](const auto& cell_of) {
    std::string line;
    for (size_t c = 0; c < columns_.size(); ++c) {
      const std::string cell = CutMiddle(cell_of(c), widths[c]);
      absl::StrAppend(&line, c == 0 ? "" : std::string(kGap, ' '),
                      columns_[c].align == kRight ? PadLeft(cell, widths[c])
                                                  : PadRight(cell, widths[c]));
    }
    lines.emplace_back(absl::StripTrailingAsciiWhitespace(line));
  };
  add_line([this](size_t c) { return columns_[c].header; });
  for (const auto& row : rows_) add_line([&row](size_t c) { return row[c]; });
  return absl::StrJoin(lines, "\n");
}

}  // namespace assay
