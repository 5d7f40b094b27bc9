#include "client/cli/evaluation_source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>
#include <string>

#include "absl/strings/str_cat.h"
#include "base/file.h"
#include "base/status_testing.h"

namespace assay {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

class EvaluationSourceTest : public testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::create_directories(folder_);
    std::filesystem::remove(InSet());
  }

  std::string InSet() const { return folder_ + "/eval_config.yaml"; }

  void Write(const std::string& path, const std::string& text) {
    ASSERT_OK(WriteFileAtomically(path, text));
  }

  // What is submitted for a definition gemm_a of the op_type gemm.
  std::string Submitted() {
    const auto source = EvaluationSource::Open(flags_, folder_, console_);
    if (!source.ok()) return std::string(source.status().message());
    const auto config =
        source->For("gemm_a", [](const std::string&) { return "gemm"; });
    return config.ok() ? config->ShortDebugString()
                       : std::string(config.status().message());
  }

  std::ostringstream out_;
  std::ostringstream err_;
  Console console_{[this] {
    Console::Options options;
    options.out = &out_;
    options.err = &err_;
    return options;
  }()};
  const std::string folder_ =
      absl::StrCat(testing::TempDir(), "/evaluation_source_test");
  EvaluationFlags flags_;
};

TEST_F(EvaluationSourceTest, FlagsComeBeforeDefinitionBeforeOpTypeBeforeAll) {
  Write(InSet(),
        "rtol: 0.1\natol: 0.1\niterations: 3\nnum_trials: 9\n"
        "op_type_config: {gemm: {rtol: 0.2, atol: 0.2, iterations: 4}}\n"
        "definition_config: {gemm_a: {rtol: 0.3, atol: 0.3}}\n");
  flags_.rtol = 0.4;
  EXPECT_EQ(Submitted(), "iterations: 4 num_trials: 9 atol: 0.3 rtol: 0.4");
  EXPECT_THAT(err_.str(), HasSubstr(InSet()));
}

// The same values in a file that is named, in one that is found, and as flags.
TEST_F(EvaluationSourceTest, HowTheyAreGivenMakesNoDifference) {
  const std::string text = "atol: 0.25\nnum_trials: 2\nevaluator: lowbit\n";
  Write(InSet(), text);
  const std::string found = Submitted();
  std::filesystem::remove(InSet());
  flags_.config_file = folder_ + "/other.yaml";
  Write(flags_.config_file, text);
  EXPECT_EQ(Submitted(), found);
  flags_ = {};
  flags_.atol = 0.25;
  flags_.trials = 2;
  flags_.evaluator = "lowbit";
  EXPECT_EQ(Submitted(), found);
}

TEST_F(EvaluationSourceTest, ANamedFileComesInPlaceOfTheFound) {
  Write(InSet(), "atol: 0.25\n");
  flags_.config_file = folder_ + "/other.yaml";
  Write(flags_.config_file, "rtol: 0.5\nlog_dir: /tmp\n");
  EXPECT_EQ(Submitted(), "rtol: 0.5");
  EXPECT_THAT(err_.str(), HasSubstr("without meaning here: log_dir"));
}

TEST_F(EvaluationSourceTest, ErrorsNameFileAndLine) {
  Write(InSet(), "atol: 1\nrtol: 0\n");
  EXPECT_THAT(Submitted(), StartsWith(absl::StrCat(InSet(), ": line 2: rtol")));
  flags_.config_file = folder_ + "/absent.yaml";
  EXPECT_THAT(Submitted(), HasSubstr("absent.yaml"));
}

TEST_F(EvaluationSourceTest, AsksForAnOpTypeOnlyWhenTheFileHasSome) {
  Write(InSet(), "atol: 0.5\n");
  ASSERT_OK_AND_ASSIGN(const EvaluationSource source,
                       EvaluationSource::Open(flags_, folder_, console_));
  EXPECT_OK(source.For("x", [](const std::string&) {
    return absl::UnavailableError("nobody is asked");
  }));
}

}  // namespace
}  // namespace assay
