#include "client/cli/evaluation_flags.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "client/cli/command_line.h"

namespace assay {
namespace {

// The configuration in text form, or what the parser says.
std::string Parse(const std::string& arguments) {
  CommandLine line("test", "", "", "");
  Command command = line.root().AddCommand("run", "");
  EvaluationFlags flags;
  flags.AddTo(command);
  std::vector<std::string> split =
      absl::StrSplit(absl::StrCat("run ", arguments), ' ', absl::SkipEmpty());
  const ParseResult result = line.Parse(split);
  return result.kind == ParseResult::kChosen
             ? flags.ToConfig().ShortDebugString()
             : result.text;
}

TEST(EvaluationFlagsTest, NothingIsSetByDefault) { EXPECT_EQ(Parse(""), ""); }

TEST(EvaluationFlagsTest, EveryFlagHasItsField) {
  EXPECT_EQ(Parse("--warmup 0 --iterations 7 --trials 2 --atol 0.5 --rtol 1e-9 "
                  "--matched-ratio 0.95 --timeout 1500ms --build-timeout 2m "
                  "--no-reference-timing --evaluator lowbit"),
            "warmup_runs: 0 iterations: 7 num_trials: 2 atol: 0.5 rtol: 1e-09 "
            "required_matched_ratio: 0.95 build_timeout { seconds: 120 } "
            "run_timeout { seconds: 1 nanos: 500000000 } "
            "time_reference: false evaluator: \"lowbit\"");
}

TEST(EvaluationFlagsTest, ValuesOutOfRangeAreRefused) {
  for (const char* line :
       {"--warmup -1", "--warmup 10001", "--iterations 0", "--trials 0",
        "--trials 101", "--atol -1", "--atol 0", "--rtol 0",
        "--evaluator perfect", "--rtol x", "--matched-ratio 0",
        "--matched-ratio 1.1", "--timeout 0", "--timeout soon",
        "--build-timeout -3s", "--iterations", "--iterations 1.5"}) {
    const std::string flag =
        std::string(line).substr(0, std::string(line).find(' '));
    EXPECT_NE(Parse(line).find(flag), std::string::npos)
        << line << " gave: " << Parse(line);
  }
}

}  // namespace
}  // namespace assay
