#include "client/cli/text.h"

#include <gtest/gtest.h>

#include <string>

namespace assay {
namespace {

TEST(TextTest, WidthCountsCodePoints) {
  EXPECT_EQ(TextWidth(""), 0);
  EXPECT_EQ(TextWidth("abc"), 3);
  EXPECT_EQ(TextWidth("µs"), 2);
}

TEST(TextTest, CutMiddle) {
  struct Case {
    const char* text;
    int width;
    const char* want;
  };
  const Case cases[] = {
      {"short", 10, "short"},
      {"exactly_10", 10, "exactly_10"},
      {"rmsnorm_h4096_cpp_vectorized", 20, "rmsnorm_...ectorized"},
      {"abcdefgh", 6, "a...gh"},
      {"abcdefgh", 4, "...h"},
      {"abcdefgh", 3, "abc"},
      {"abcdefgh", 1, "a"},
      {"abcdefgh", 0, "abcdefgh"},
      {"ääääääää", 6, "ä...ää"},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(CutMiddle(c.text, c.width), c.want) << c.text << " " << c.width;
  }
}

TEST(TextTest, CutEnd) {
  EXPECT_EQ(CutEnd("abcdefgh", 8), "abcdefgh");
  EXPECT_EQ(CutEnd("abcdefgh", 7), "abcd...");
  EXPECT_EQ(CutEnd("abcdefgh", 2), "ab");
  EXPECT_EQ(CutEnd("ääääääää", 5), "ää...");
  EXPECT_EQ(CutEnd("abcdefgh", 0), "abcdefgh");
}

TEST(TextTest, Pads) {
  EXPECT_EQ(PadRight("µs", 4), "µs  ");
  EXPECT_EQ(PadLeft("µs", 4), "  µs");
  EXPECT_EQ(PadRight("longer", 4), "longer");
}

TEST(TextTest, ControlCharactersDoNotReachTheTerminal) {
  EXPECT_EQ(Printable("a\x1b[31mb\r\x07\x7f\tc\nd"), "a?[31mb???\tc\nd");
  EXPECT_EQ(Printable("größer"), "größer");
}

TEST(TextTest, Counts) {
  EXPECT_EQ(Count(1, "job"), "1 job");
  EXPECT_EQ(Count(0, "job"), "0 jobs");
  EXPECT_EQ(Count(2, "entry", "entries"), "2 entries");
}

TEST(TextTest, WrapsLists) {
  EXPECT_EQ(WrapList({"aaa", "bbb", "ccc"}, 2, 12), "  aaa, bbb,\n  ccc");
  EXPECT_EQ(WrapList({"aaa", "bbb"}, 2, 0), "  aaa, bbb");
  EXPECT_EQ(WrapList({"a_word_too_long", "b"}, 1, 8), " a_word_too_long,\n b");
}

}  // namespace
}  // namespace assay
