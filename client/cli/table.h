// Plain text tables: columns aligned, two blanks between them.
//
//   Table table({{"name"}, {"jobs", Table::kRight}});
//   table.Add({"scale", "3"});
//   console.Print(table.Render(console.width()));

#ifndef ASSAY_CLIENT_CLI_TABLE_H_
#define ASSAY_CLIENT_CLI_TABLE_H_

#include <string>
#include <utility>
#include <vector>

namespace assay {

class Table {
 public:
  enum Align { kLeft, kRight };
  struct Column {
    std::string header;
    Align align = kLeft;
    // Whether cells may be cut in the middle when the table is too wide.
    bool may_shrink = false;
  };

  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

  // One cell per column.
  void Add(std::vector<std::string> cells);
  bool empty() const { return rows_.empty(); }

  // Header and rows, without a newline at the end. Columns that may shrink are
  // cut until the lines fit `width`; 0 means any width.
  std::string Render(int width) const;

 private:
  std::vector<int> ColumnWidths(int width) const;

  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace assay

#endif  // ASSAY_CLIENT_CLI_TABLE_H_
