#include "worker/evaluate/evaluators/new_evaluator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/status_testing.h"
#include "worker/device/cpu_device.h"

namespace assay {
namespace {

using ::testing::HasSubstr;

constexpr int kValues = 20;

// Outputs y and lse, of twenty float32 each, all 1.
class NewEvaluatorTest : public testing::Test {
 protected:
  void SetUp() override {
    for (const char* name : {"y", "lse"}) {
      v1::TensorSpec& output = *definition_.add_outputs();
      output.set_name(name);
      output.set_dtype(v1::DTYPE_FLOAT32);
      ResolvedTensor tensor;
      tensor.name = name;
      tensor.dtype = v1::DTYPE_FLOAT32;
      tensor.dims = {kValues};
      tensor.bytes = kValues * 4;
      sizes_.outputs.push_back(tensor);
    }
    ASSERT_OK_AND_ASSIGN(CaseMemory memory,
                         CaseMemory::Allocate(device_, sizes_, {}, {1, 1, 0}));
    memory_.emplace(std::move(memory));
    for (int i = 0; i < 2; ++i) {
      Fill(memory_->Expected(i), 1, 0);
      Fill(memory_->Output(0, i), 1, 0);
    }
  }

  // Ones, but for the first `others`.
  void Fill(const Region& region, float other, int others) {
    std::vector<float> values(kValues, 1);
    for (int i = 0; i < others; ++i) values[i] = other;
    ASSERT_OK(
        device_.Upload(region, {reinterpret_cast<const char*>(values.data()),
                                values.size() * sizeof(float)}));
  }

  // What the evaluator says of the outputs; empty when they are right.
  std::string Judge(const char* evaluator, const JudgedCall& call = {}) {
    settings_.evaluator = evaluator;
    const auto made = NewEvaluator(definition_, {}, sizes_, settings_);
    if (!made.ok()) return std::string(made.status().message());
    EXPECT_OK((*made)->Add(device_, *memory_, call));
    return (*made)->failure();
  }

  v1::Definition definition_;
  CpuDevice device_{CpuDeviceOptions{}};
  ResolvedCase sizes_;
  std::optional<CaseMemory> memory_;
  EvaluationSettings settings_;
};

TEST_F(NewEvaluatorTest, SaysWhyThereIsNone) {
  EXPECT_THAT(Judge("perfect"), HasSubstr("unknown evaluator \"perfect\""));
  EXPECT_THAT(Judge("sampling"), HasSubstr("needs an input \"probs\""));
}

TEST_F(NewEvaluatorTest, LowBitAllowsWhatTheRatioDoes) {
  settings_.required_matched_ratio = 0.95;
  Fill(memory_->Output(0, 0), 2, 1);
  EXPECT_EQ(Judge("lowbit"), "");
  Fill(memory_->Output(0, 0), 2, 2);
  EXPECT_THAT(Judge("lowbit"), HasSubstr("2 of 20 values are wrong"));
}

TEST_F(NewEvaluatorTest, LowBitAllowsNoNan) {
  settings_.required_matched_ratio = 0.95;
  Fill(memory_->Output(0, 0), std::numeric_limits<float>::quiet_NaN(), 1);
  EXPECT_EQ(Judge("default"), "");
  EXPECT_THAT(Judge("lowbit"), HasSubstr("1 are NaN or infinite"));
}

TEST_F(NewEvaluatorTest, SparseAttentionNeedsNoSecondOutputButARightOne) {
  JudgedCall call;
  for (int i = 0; i < 2; ++i) {
    call.before.push_back(
        {memory_->Output(0, i), static_cast<uint32_t>(5 + i)});
  }
  // Both are given and right, then the second is wrong, then as it was before.
  EXPECT_EQ(Judge("dsa_sparse_attention", call), "");
  Fill(memory_->Output(0, 1), 3, 4);
  EXPECT_THAT(Judge("dsa_sparse_attention", call), HasSubstr("\"lse\": 4 of"));
  ASSERT_OK(device_.Poison({call.before[1]}, call.pattern_key));
  EXPECT_EQ(Judge("dsa_sparse_attention", call), "");
  EXPECT_THAT(Judge("default", call), HasSubstr("\"lse\""));
  ASSERT_OK(device_.Poison({call.before[0]}, call.pattern_key));
  EXPECT_THAT(Judge("dsa_sparse_attention", call), HasSubstr("\"y\": 20 of"));
}

}  // namespace
}  // namespace assay
