#include "client/config/eval_config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/status_testing.h"

namespace assay {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// The file that comes with FlashInfer-Bench.
constexpr char kBundled[] = R"(
op_type_config:
  moe:
    required_matched_ratio: 0.95
  lowbit:
    required_matched_ratio: 0.95
  sampling:
    extra:
      sampling_validation_trials: 100
      sampling_tvd_threshold: 0.2
)";

TEST(EvalConfigTest, ReadsTheFileOfFlashInferBench) {
  ASSERT_OK_AND_ASSIGN(const EvalConfig config, ParseEvalConfig(kBundled));
  EXPECT_EQ(config.For("any", "moe").required_matched_ratio(), 0.95);
  EXPECT_EQ(config.For("any", "sampling").ShortDebugString(),
            "sampling_validation_trials: 100 sampling_tvd_threshold: 0.2");
  EXPECT_EQ(config.For("any", "rope").ShortDebugString(), "");
}

TEST(EvalConfigTest, TheNearestLayerCountsKeyByKey) {
  ASSERT_OK_AND_ASSIGN(const EvalConfig config, ParseEvalConfig(R"(
rtol: 1e-3
atol: 1e-3
iterations: 7
op_type_config:
  gemm: {rtol: 0.02, atol: 0.02, num_trials: null, extra: {}}
definition_config:
  gemm_large:
    atol: 0.3
    evaluator: lowbit
  gemm_other:
)"));
  EXPECT_EQ(config.For("gemm_large", "gemm").ShortDebugString(),
            "iterations: 7 atol: 0.3 rtol: 0.02 evaluator: \"lowbit\"");
  EXPECT_EQ(config.For("gemm_other", "gemm").ShortDebugString(),
            "iterations: 7 atol: 0.02 rtol: 0.02");
  EXPECT_EQ(config.For("x", "rope").ShortDebugString(),
            "iterations: 7 atol: 0.001 rtol: 0.001");
}

TEST(EvalConfigTest, KeysOfTheSystem) {
  ASSERT_OK_AND_ASSIGN(const EvalConfig config,
                       ParseEvalConfig("timeout_seconds: 60\n"
                                       "profile_baseline: false\n"
                                       "use_isolated_runner: true\n"
                                       "log_dir: /tmp\n"
                                       "definitions:\n"
                                       "sampling_validation_trials: 5\n"));
  EXPECT_EQ(config.all.run_timeout().seconds(), 60);
  EXPECT_FALSE(config.all.time_reference());
  EXPECT_EQ(config.all.sampling_validation_trials(), 5);
  EXPECT_THAT(config.ignored, ElementsAre("use_isolated_runner", "log_dir"));
}

TEST(EvalConfigTest, SaysWhereAndWhatIsWrong) {
  const struct {
    const char* text;
    const char* what;
  } cases[] = {
      {"rtol: 1\natol: 0\n", "line 2: atol: \"0\" is not a number above 0"},
      {"rtol: -0.1\n", "line 1: rtol: \"-0.1\" is not a number above 0"},
      {"rtol: .nan\n", "line 1: rtol: \".nan\" is not"},
      {"rtol: nan\n", "line 1: rtol: \"nan\" is not"},
      {"rtol: inf\n", "line 1: rtol: \"inf\" is not"},
      {"op_type_config:\n  moe:\n    atoll: 1\n",
       "line 3: op_type_config.moe.atoll: is not known; known: warmup_runs"},
      {"op_type_config:\n  moe:\n    atoll:\n",
       "line 3: op_type_config.moe.atoll: is not known"},
      {"tolerance: 1\n", "line 1: tolerance: is not known"},
      {"definition_config:\n  d:\n    evaluator: perfect\n",
       "line 3: definition_config.d.evaluator: unknown evaluator \"perfect\": "
       "use one of default, lowbit"},
      {"definition_config: 3\n", "definition_config: must be a map"},
      {"op_type_config:\n  x:\n    extra:\n      y: 1\n",
       "line 4: op_type_config.x.extra.y: is not known"},
      {"required_matched_ratio: 1.5\n", "above 0 and at most 1"},
      {"iterations: 1.5\n", "a whole number from 1 to 100000"},
      {"num_trials: [1]\n", "a list or a map is not a whole number"},
      {"profile_baseline: perhaps\n", "true or false"},
      {"definitions: [a]\n", "--definitions"},
      {"- a\n", "line 1: the file must be a map"},
      {"a: [\n", "line 2: "},
  };
  for (const auto& [text, what] : cases) {
    const absl::Status status = ParseEvalConfig(text).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << text;
    EXPECT_THAT(status.message(), HasSubstr(what)) << text;
  }
}

}  // namespace
}  // namespace assay
