#include "client/cli/fields.h"

#include <gtest/gtest.h>

namespace assay {
namespace {

TEST(FieldsTest, AlignsValuesAndLeavesOutEmptyOnes) {
  Fields fields;
  fields.Add("name", "scale").Add("description", "").Add("op_type", "scale");
  EXPECT_EQ(fields.Render(), "name     scale\nop_type  scale");
}

TEST(FieldsTest, BlocksComeLastAndAreIndented) {
  Fields fields;
  fields.AddBlock("log", "a\n\nb\n").Add("id", "tra-1").AddBlock("none", "\n");
  EXPECT_EQ(fields.Render(), "id  tra-1\n\nlog:\n    a\n\n    b");
}

TEST(FieldsTest, TextOfOthersCannotControlTheTerminal) {
  Fields fields;
  fields.Add("a", "\x1b[2J").AddBlock("b", "\x07");
  EXPECT_EQ(fields.Render(), "a  ?[2J\n\nb:\n    ?");
}

}  // namespace
}  // namespace assay
