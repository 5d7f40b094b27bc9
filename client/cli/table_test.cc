#include "client/cli/table.h"

#include <gtest/gtest.h>

namespace assay {
namespace {

TEST(TableTest, AlignsColumns) {
  Table table({{"name"}, {"jobs", Table::kRight}, {"state"}});
  table.Add({"scale", "3", "IDLE"});
  table.Add({"rmsnorm", "128", ""});
  EXPECT_EQ(table.Render(0),
            "name     jobs  state\n"
            "scale       3  IDLE\n"
            "rmsnorm   128");
}

TEST(TableTest, HeaderAloneWhenEmpty) {
  Table table({{"name"}, {"jobs"}});
  EXPECT_TRUE(table.empty());
  EXPECT_EQ(table.Render(0), "name  jobs");
}

TEST(TableTest, CutsWhatMayShrinkToTheWidth) {
  Table table({{"name", Table::kLeft, true}, {"uuid"}});
  table.Add({"rmsnorm_h4096_cpp_vectorized", "0123456789"});
  EXPECT_EQ(table.Render(30),
            "name                uuid\n"
            "rmsnorm...ctorized  0123456789");
}

TEST(TableTest, NeverCutsBelowWhatIsReadable) {
  Table table({{"name", Table::kLeft, true}});
  table.Add({"rmsnorm_h4096_cpp_vectorized"});
  EXPECT_EQ(table.Render(5), "name\nrmsn...rized");
}

TEST(TableTest, RowIsOneLineWhateverItHolds) {
  Table table({{"note"}});
  table.Add({"a\nb\x1b[2J"});
  EXPECT_EQ(table.Render(0), "note\na b?[2J");
}

TEST(TableTest, MissingCellsAreEmpty) {
  Table table({{"a"}, {"b"}});
  table.Add({"1"});
  EXPECT_EQ(table.Render(0), "a  b\n1");
}

}  // namespace
}  // namespace assay
