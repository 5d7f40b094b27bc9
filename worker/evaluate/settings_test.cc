#include "worker/evaluate/settings.h"

#include <gtest/gtest.h>

namespace assay {
namespace {

TEST(SettingsTest, EmptyConfigGivesTheDocumentedDefaults) {
  const EvaluationSettings settings = ResolveSettings({}, {});
  EXPECT_EQ(settings.warmup_runs, 10);
  EXPECT_EQ(settings.iterations, 50);
  EXPECT_EQ(settings.num_trials, 3);
  EXPECT_EQ(settings.tolerance.atol, 1e-2);
  EXPECT_EQ(settings.tolerance.rtol, 1e-2);
  EXPECT_EQ(settings.required_matched_ratio, 1);
  EXPECT_EQ(settings.build_timeout, absl::Minutes(5));
  EXPECT_EQ(settings.load_timeout, absl::Minutes(1));
  EXPECT_EQ(settings.run_timeout, absl::Minutes(5));
  EXPECT_TRUE(settings.time_reference);
}

TEST(SettingsTest, SetFieldsWinAlsoWhenZero) {
  v1::EvaluationConfig config;
  config.set_warmup_runs(0);
  config.set_atol(0);
  config.set_time_reference(false);
  config.mutable_run_timeout()->set_seconds(1);
  config.mutable_run_timeout()->set_nanos(500'000'000);
  const EvaluationSettings settings = ResolveSettings({}, config);
  EXPECT_EQ(settings.warmup_runs, 0);
  EXPECT_EQ(settings.tolerance.atol, 0);
  EXPECT_FALSE(settings.time_reference);
  EXPECT_EQ(settings.run_timeout, absl::Milliseconds(1500));
}

TEST(SettingsTest, ReportedConfigResolvesToTheSameSettings) {
  v1::EvaluationConfig config;
  config.set_iterations(7);
  config.mutable_load_timeout()->set_nanos(250'000'000);
  const v1::EvaluationConfig reported = ToConfig(ResolveSettings({}, config));
  EXPECT_EQ(reported.iterations(), 7);
  EXPECT_TRUE(reported.has_warmup_runs());
  EXPECT_EQ(ToConfig(ResolveSettings({}, reported)).SerializeAsString(),
            reported.SerializeAsString());
}

TEST(SettingsTest, EvaluatorIsTheDefinitionsUnlessNamed) {
  v1::Definition moe;
  moe.set_name("moe_fp8_block_scale_ds_routing");
  moe.set_op_type("moe");
  v1::EvaluationConfig config;
  EXPECT_EQ(ResolveSettings(moe, config).evaluator, "lowbit");
  EXPECT_EQ(ResolveSettings(moe, config).required_matched_ratio, 0.95);
  config.set_required_matched_ratio(0.9);
  EXPECT_EQ(ResolveSettings(moe, config).required_matched_ratio, 0.9);
  config.clear_required_matched_ratio();
  config.set_evaluator("default");
  EXPECT_EQ(ResolveSettings(moe, config).evaluator, "default");
  EXPECT_EQ(ResolveSettings(moe, config).required_matched_ratio, 1);
}

TEST(SettingsTest, ReportsWhatIsOfSamplingWithThatEvaluatorOnly) {
  v1::EvaluationConfig config;
  EXPECT_EQ(ToConfig(ResolveSettings({}, config)).evaluator(), "default");
  EXPECT_FALSE(
      ToConfig(ResolveSettings({}, config)).has_sampling_tvd_threshold());
  config.set_evaluator("sampling");
  const v1::EvaluationConfig reported = ToConfig(ResolveSettings({}, config));
  EXPECT_EQ(reported.sampling_validation_trials(), 1000);
  EXPECT_EQ(reported.sampling_tvd_threshold(), 0.02);
}

}  // namespace
}  // namespace assay
