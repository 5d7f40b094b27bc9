#include "client/cli/console.h"

#include <gtest/gtest.h>

#include <sstream>

namespace assay {
namespace {

class ConsoleTest : public testing::Test {
 protected:
  Console Make(bool out_is_terminal, bool err_is_terminal,
               bool color_allowed = true) {
    Console::Options options;
    options.out = &out_;
    options.err = &err_;
    options.out_is_terminal = out_is_terminal;
    options.err_is_terminal = err_is_terminal;
    options.width = 20;
    options.color_allowed = color_allowed;
    return Console(options);
  }

  std::ostringstream out_;
  std::ostringstream err_;
};

TEST_F(ConsoleTest, ResultsAndNotesAreApart) {
  Console console = Make(false, false);
  console.Print("result");
  console.Note("note");
  console.Error("wrong");
  EXPECT_EQ(out_.str(), "result\n");
  EXPECT_EQ(err_.str(), "note\nassay: wrong\n");
}

TEST_F(ConsoleTest, PipesSeeNoProgressAndNoColour) {
  Console console = Make(false, false);
  console.SetProgress("working");
  console.Print(console.Paint("ok", Color::kGreen));
  console.ClearProgress();
  EXPECT_EQ(out_.str(), "ok\n");
  EXPECT_EQ(err_.str(), "");
  EXPECT_EQ(console.width(), 0);
}

TEST_F(ConsoleTest, TerminalHasColourUnlessForbidden) {
  EXPECT_EQ(Make(true, true).Paint("ok", Color::kGreen), "\x1b[32mok\x1b[0m");
  EXPECT_EQ(Make(true, true).Paint("ok", Color::kNone), "ok");
  EXPECT_EQ(Make(true, true, false).Paint("ok", Color::kGreen), "ok");
}

TEST_F(ConsoleTest, ProgressIsRedrawnBelowWhatIsPrinted) {
  Console console = Make(false, true);
  console.SetProgress("one");
  console.SetProgress("one");
  console.Print("result");
  console.SetProgress("two");
  console.ClearProgress();
  EXPECT_EQ(out_.str(), "result\n");
  EXPECT_EQ(err_.str(),
            "one"
            "\r\x1b[Kone"
            "\r\x1b[Ktwo"
            "\r\x1b[K");
}

TEST_F(ConsoleTest, ProgressNeverWraps) {
  Console console = Make(true, true);
  console.SetProgress("a progress line that is far too long");
  EXPECT_EQ(err_.str(), "a progress line ...");
}

TEST_F(ConsoleTest, KnowsWhenNobodyReads) {
  Console console = Make(false, false);
  EXPECT_FALSE(console.broken());
  out_.setstate(std::ios::badbit);
  EXPECT_TRUE(console.broken());
}

}  // namespace
}  // namespace assay
