#include "client/cli/command_line.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_split.h"

namespace assay {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class CommandLineTest : public testing::Test {
 protected:
  CommandLineTest() {
    Command run = line_.root().AddCommand("run", "Run it");
    run.Optional("path", path_, "A path");
    run.Switch("--json", json_, "JSON");
    run.Text("--store", store_, {"A store", "FILE"});
    run.Choice("--sandbox", sandbox_, {"strict", "off"}, "Sandbox");
    run.List("--names", names_, {"Names", "NAME"});
    run.Number("--trials", trials_, 1, 100, "Trials");
    run.Number("--rtol", rtol_, 0, 1, "Tolerance");
    run.Duration("--timeout", timeout_, "Deadline");
    run.OnChosen([this] { chosen_ = "run"; });
    Command group = line_.root().AddGroup("traces", "Traces");
    Command get = group.AddCommand("get", "One");
    get.Required("id", id_, "Its id");
    get.OnChosen([this] { chosen_ = "get"; });
    Command watch = line_.root().AddCommand("watch", "Watch");
    watch.Required("id", names_, "Ids");
  }

  ParseResult Parse(const std::string& arguments) {
    std::vector<std::string> split;
    if (!arguments.empty()) split = absl::StrSplit(arguments, ' ');
    return line_.Parse(split);
  }

  std::string WhatIsWrong(const std::string& arguments) {
    const ParseResult result = Parse(arguments);
    EXPECT_EQ(result.kind, ParseResult::kWrong) << arguments;
    return result.text;
  }

  CommandLine line_{"assay", "Does it.", "0.1.0", "The end."};
  std::string path_;
  bool json_ = false;
  std::string store_;
  std::string sandbox_;
  std::vector<std::string> names_;
  std::optional<int> trials_;
  std::optional<double> rtol_;
  std::optional<absl::Duration> timeout_;
  std::string id_;
  std::string chosen_;
};

TEST_F(CommandLineTest, EveryKindOfArgument) {
  const ParseResult result = Parse(
      "run --json --store a.db --sandbox OFF --names a,b dir --names c "
      "--trials 7 --rtol 0.5 --timeout 90s");
  ASSERT_EQ(result.kind, ParseResult::kChosen) << result.text;
  EXPECT_EQ(chosen_, "run");
  EXPECT_EQ(path_, "dir");
  EXPECT_TRUE(json_);
  EXPECT_EQ(store_, "a.db");
  EXPECT_EQ(sandbox_, "off");
  EXPECT_THAT(names_, ElementsAre("a", "b", "c"));
  EXPECT_EQ(trials_, 7);
  EXPECT_EQ(rtol_, 0.5);
  EXPECT_EQ(timeout_, absl::Seconds(90));
}

TEST_F(CommandLineTest, WhatIsNotGivenStaysUnset) {
  ASSERT_EQ(Parse("run").kind, ParseResult::kChosen);
  EXPECT_FALSE(json_);
  EXPECT_EQ(trials_, std::nullopt);
  EXPECT_EQ(rtol_, std::nullopt);
  EXPECT_EQ(timeout_, std::nullopt);
}

TEST_F(CommandLineTest, CommandInAGroup) {
  ASSERT_EQ(Parse("traces get tra-1").kind, ParseResult::kChosen);
  EXPECT_EQ(chosen_, "get");
  EXPECT_EQ(id_, "tra-1");
}

TEST_F(CommandLineTest, ValuesOutOfRangeAreRefusedWithTheFlag) {
  EXPECT_THAT(WhatIsWrong("run --trials 0"),
              AllOf(HasSubstr("--trials"),
                    HasSubstr("\"0\" is not a number from 1 to 100")));
  EXPECT_THAT(WhatIsWrong("run --trials 1.5"), HasSubstr("--trials"));
  EXPECT_THAT(WhatIsWrong("run --rtol -1"),
              AllOf(HasSubstr("--rtol"), HasSubstr("\"-1\"")));
  EXPECT_THAT(WhatIsWrong("run --rtol nan"), HasSubstr("--rtol"));
  EXPECT_THAT(WhatIsWrong("run --timeout soon"),
              AllOf(HasSubstr("--timeout"), HasSubstr("\"soon\"")));
  EXPECT_THAT(WhatIsWrong("run --sandbox maybe"),
              AllOf(HasSubstr("--sandbox"), HasSubstr("maybe")));
  EXPECT_THAT(WhatIsWrong("run --store"), HasSubstr("--store"));
}

TEST_F(CommandLineTest, UnknownFlagPointsToTheCommandsHelp) {
  EXPECT_THAT(
      WhatIsWrong("run --jsno"),
      AllOf(HasSubstr("--jsno"), HasSubstr("see \"assay run --help\"")));
}

TEST_F(CommandLineTest, MisspeltCommandIsSuggested) {
  EXPECT_THAT(WhatIsWrong("wacth sub-1"),
              AllOf(HasSubstr("there is no command \"wacth\""),
                    HasSubstr("did you mean \"watch\"?"),
                    HasSubstr("see \"assay --help\"")));
  EXPECT_THAT(WhatIsWrong("traces gte x"),
              AllOf(HasSubstr("there is no command \"gte\""),
                    HasSubstr("see \"assay traces --help\"")));
}

TEST_F(CommandLineTest, MissingCommandAndArgument) {
  EXPECT_THAT(WhatIsWrong(""), HasSubstr("see \"assay --help\""));
  EXPECT_THAT(WhatIsWrong("traces"), HasSubstr("see \"assay traces --help\""));
  EXPECT_THAT(WhatIsWrong("traces get"), HasSubstr("id"));
}

TEST_F(CommandLineTest, HelpOfTheProgramAndOfACommand) {
  const ParseResult all = Parse("--help");
  EXPECT_EQ(all.kind, ParseResult::kAnswered);
  EXPECT_THAT(all.text, AllOf(HasSubstr("Does it."), HasSubstr("watch"),
                              HasSubstr("The end.")));
  const ParseResult one = Parse("run --help");
  EXPECT_EQ(one.kind, ParseResult::kAnswered);
  EXPECT_THAT(one.text, testing::Not(HasSubstr("The end.")));
  EXPECT_THAT(one.text,
              AllOf(HasSubstr("--names NAME"), HasSubstr("--store FILE")));
}

TEST_F(CommandLineTest, Version) {
  const ParseResult result = Parse("--version");
  EXPECT_EQ(result.kind, ParseResult::kAnswered);
  EXPECT_EQ(result.text, "assay 0.1.0\n");
}

}  // namespace
}  // namespace assay
