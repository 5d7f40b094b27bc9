#include "worker/evaluate/evaluators/default_evaluator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "base/status_testing.h"
#include "worker/device/cpu_device.h"

namespace assay {
namespace {

using testing::HasSubstr;

// One output y [2, 3] of float32.
class DefaultEvaluatorTest : public testing::Test {
 protected:
  void SetUp() override {
    ResolvedTensor y;
    y.name = "y";
    y.dtype = v1::DTYPE_FLOAT32;
    y.dims = {2, 3};
    y.bytes = 24;
    sizes_.outputs = {y};
    ASSERT_OK_AND_ASSIGN(CaseMemory memory,
                         CaseMemory::Allocate(device_, sizes_, {}, {1, 1, 0}));
    memory_.emplace(std::move(memory));
    Put(memory_->Expected(0), {1, 2, 3, 4, 5, 6});
  }

  void Put(const Region& region, const std::vector<float>& values) {
    ASSERT_OK(device_.Upload(
        region, {reinterpret_cast<const char*>(values.data()), 24}));
  }

  CpuDevice device_{CpuDeviceOptions{}};
  ResolvedCase sizes_;
  std::optional<CaseMemory> memory_;
  EvaluationSettings settings_;
};

TEST_F(DefaultEvaluatorTest, EqualOutputsPass) {
  Put(memory_->Output(0, 0), {1, 2, 3, 4, 5, 6});
  DefaultEvaluator check(sizes_, settings_);
  ASSERT_OK(check.Add(device_, *memory_, {}));
  EXPECT_TRUE(check.passed());
  EXPECT_EQ(check.correctness().max_absolute_error(), 0);
  EXPECT_EQ(check.correctness().matched_ratio(), 1);
}

TEST_F(DefaultEvaluatorTest, FailureNamesOutputPlaceAndValues) {
  Put(memory_->Output(0, 0), {1, 2, 3, 4, 5.5, 6});
  DefaultEvaluator check(sizes_, settings_);
  ASSERT_OK(check.Add(device_, *memory_, {}));
  EXPECT_FALSE(check.passed());
  EXPECT_THAT(check.failure(), HasSubstr("output \"y\": 1 of 6 values"));
  EXPECT_THAT(check.failure(), HasSubstr("at [1, 1]: got 5.5, expected 5"));
  EXPECT_DOUBLE_EQ(check.correctness().max_absolute_error(), 0.5);
  EXPECT_NEAR(check.correctness().max_relative_error(), 0.1, 1e-6);
}

TEST_F(DefaultEvaluatorTest, OneWrongCallOfManyIsRemembered) {
  DefaultEvaluator check(sizes_, settings_);
  Put(memory_->Output(0, 0), {1, 2, 3, 4, 5, 7});
  ASSERT_OK(check.Add(device_, *memory_, {}));
  Put(memory_->Output(0, 0), {1, 2, 3, 4, 5, 6});
  ASSERT_OK(check.Add(device_, *memory_, {}));
  EXPECT_FALSE(check.passed());
  EXPECT_DOUBLE_EQ(check.correctness().max_absolute_error(), 1);
  EXPECT_DOUBLE_EQ(check.correctness().matched_ratio(), 5.0 / 6);
}

TEST_F(DefaultEvaluatorTest, RequiredRatioAllowsSomeWrongValues) {
  Put(memory_->Output(0, 0), {1, 2, 3, 4, 5, 7});
  settings_.required_matched_ratio = 0.8;
  DefaultEvaluator check(sizes_, settings_);
  ASSERT_OK(check.Add(device_, *memory_, {}));
  EXPECT_TRUE(check.passed());
}

TEST_F(DefaultEvaluatorTest, NanWhereTheReferenceHasNoneIsWrong) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  Put(memory_->Output(0, 0), {1, 2, nan, 4, 5, 6});
  DefaultEvaluator check(sizes_, settings_);
  ASSERT_OK(check.Add(device_, *memory_, {}));
  EXPECT_FALSE(check.passed());
  EXPECT_THAT(check.failure(), HasSubstr("1 are NaN or infinite"));
}

}  // namespace
}  // namespace assay
